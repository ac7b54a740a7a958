"""The half-space hinge of the simplex half-space support vector machine (SH-SVM)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Bools, Floats, centred
from simplexcoding.losses.loss import (
    Comparison,
    Loss,
    RowStep,
    own,
    probabilities,
    scores_and_labels,
    step_sizes,
    vertex_scores,
    within,
)


@dataclass(frozen=True)
class HalfSpaceHinge(Loss):
    """Hinge on the true vertex.

    V(u, y) = max(0, 1 - u_y), with f held in the convex hull of the code when `hull`:
    +inf unless u_k >= -1/(T-1) for every k. There u_y <= 1 and V is linear.

    Parameters
    ----------
    hull : bool, default=True
        Without the hull the loss finds the least likely class and is consistent
        at T = 2 only.
    """

    hull: bool = True
    name: ClassVar[str] = "half_space"

    @property
    def title(self) -> str:
        return "half-space, in the hull" if self.hull else "half-space, no hull"

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        hinge = np.maximum(1 - own(S, y), 0.0)
        if not self.hull:
            return hinge
        return np.where(_in_hull(S), hinge, np.inf)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        """One subgradient per row; NaN outside the hull, where there is none."""
        S, y = scores_and_labels(S, y)
        g = np.zeros_like(S)
        # In the hull V is 1 - u_y, at the vertex itself too.
        active = np.ones(len(y)) if self.hull else own(S, y) < 1
        g[np.arange(len(y)), y] = -active.astype(S.dtype)
        g = centred(g)
        if self.hull:
            g[~_in_hull(S)] = np.nan
        return g

    @property
    def row_step(self) -> RowStep | None:
        """One row without the hull; under it a step would have to stay at every row's hull."""
        return None if self.hull else _row_step

    def without_hull(self) -> "HalfSpaceHinge":
        return HalfSpaceHinge(hull=False)

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        S = centred(S)
        n_classes = S.shape[1]
        step = step_sizes(step, S)
        rows = np.arange(len(y))
        if self.hull:
            from simplexcoding.projection import project_on_simplex

            # The hull, moved by 1/(T-1), is a probability simplex of total T/(T-1).
            S[rows, y] += step
            hull = project_on_simplex(S, n_classes / (n_classes - 1))
            return hull - 1 / (n_classes - 1)
        moved = np.clip((1 - own(S, y)) * n_classes / (n_classes - 1), 0.0, step)
        S -= (moved / n_classes)[:, None]
        S[rows, y] += moved
        return S

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        Z, y = scores_and_labels(Z, y)
        Z = centred(Z)
        n_classes = Z.shape[1]
        rows = np.arange(len(y))
        if self.hull:
            # The supremum of a linear function over the hull is at a vertex.
            tilted = Z.copy()
            tilted[rows, y] += 1
            return n_classes / (n_classes - 1) * centred(tilted).max(axis=1) - 1
        # Z is -w e_y up to a constant, 0 <= w <= 1; the value is -w.
        weight = -own(Z, y) * n_classes / (n_classes - 1)
        rest = Z - (weight / n_classes)[:, None]
        rest[rows, y] = 0.0
        violation = np.maximum(np.abs(rest).max(axis=1), np.maximum(-weight, weight - 1))
        return np.where(within(violation), -np.clip(weight, 0.0, 1.0), np.inf)

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """Vertex of the most likely class; without the hull, away from the least likely."""
        P = probabilities(P)
        n_classes = P.shape[1]
        if self.hull:
            return vertex_scores(P.argmax(axis=1), n_classes)
        # The last of equals at T = 2, so that a tie there decodes to the lowest index.
        least = n_classes - 1 - P[:, ::-1].argmin(axis=1)
        return -(n_classes - 1) * vertex_scores(least, n_classes)

    def comparison(self, n_classes: int) -> Comparison | None:
        if not self.is_consistent(n_classes):
            return None
        return Comparison(float(n_classes - 1), 1.0)

    def is_consistent(self, n_classes: int) -> bool:
        return self.hull or n_classes == 2

    def largest_pull(self, n_classes: int) -> float:
        return 1.0


def _in_hull(S: Floats) -> Bools:
    return within(-S.min(axis=1) - 1 / (S.shape[1] - 1))


def _row_step(u: Floats, y: int, g: Floats) -> float:
    active = 1.0 if u[y] < 1.0 else 0.0
    for k in range(len(u)):
        g[k] = active / len(u)
    g[y] -= active
    return active * (1.0 - u[y])
