"""The cone hinge of the simplex cone support vector machine (SC-SVM)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.loss import (
    Comparison,
    Loss,
    own,
    probabilities,
    scores_and_labels,
    step_sizes,
    vertex_scores,
    within,
)


@dataclass(frozen=True)
class ConeHinge(Loss):
    """Hinge on every wrong vertex.

    V(u, y) = sum over k != y of max(0, u_k + 1/(T-1)).
    """

    name: ClassVar[str] = "cone"

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        hinges = np.maximum(S + _margin(S), 0.0)
        hinges[np.arange(len(y)), y] = 0.0
        return hinges.sum(axis=1)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        active = (S + _margin(S) > 0).astype(S.dtype)
        active[np.arange(len(y)), y] = 0.0
        return centred(active)

    @staticmethod
    def row_step(u: Floats, y: int, g: Floats) -> float:
        n_classes = len(u)
        value, active = 0.0, 0
        for k in range(n_classes):
            over = u[k] + 1.0 / (n_classes - 1)
            hit = over > 0.0 and k != y
            value += over if hit else 0.0
            active += 1 if hit else 0
            g[k] = 1.0 if hit else 0.0
        for k in range(n_classes):
            g[k] -= active / n_classes
        return value

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        # S' = S + sum(w)/T - w with w_k = clip(S_k + sum(w)/T + 1/(T-1), 0, step), w_y = 0.
        from simplexcoding.losses.row_roots import box_weights

        S, y = scores_and_labels(S, y)
        S = centred(S)
        lines = S + _margin(S)
        lines[np.arange(len(y)), y] = -np.inf
        weights = box_weights(lines, 1 / S.shape[1], step_sizes(step, S))
        return S - centred(weights)

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        # Z is w up to a constant, 0 <= w <= 1, w_y = 0; the value is -sum(w)/(T-1).
        Z, y = scores_and_labels(Z, y)
        weights = Z - own(Z, y)[:, None]
        feasible = within(np.maximum(-weights, weights - 1).max(axis=1))
        value = -_margin(Z) * np.clip(weights, 0.0, 1.0).sum(axis=1)
        return np.where(feasible, value, np.inf)

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """Return the vertex of the most likely class."""
        P = probabilities(P)
        return vertex_scores(P.argmax(axis=1), P.shape[1])

    def comparison(self, n_classes: int) -> Comparison:
        return Comparison(float(n_classes - 1), 1.0)

    def is_consistent(self, n_classes: int) -> bool:
        return True

    def largest_pull(self, n_classes: int) -> float:
        return 1.0


def _margin(S: Floats) -> float:
    return 1 / (S.shape[1] - 1)
