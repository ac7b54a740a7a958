"""The relative-margin hinge of Hill and Doucet, which is that of Weston and Watkins."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, Indices, centred
from simplexcoding.losses.loss import (
    Comparison,
    Loss,
    own,
    probabilities,
    scores_and_labels,
    step_sizes,
    within,
)
from simplexcoding.losses.ordered_levels import ordered_levels


@dataclass(frozen=True)
class RelativeHinge(Loss):
    """Hinge on the true vertex's lead over every other.

    V(u, y) = sqrt((T-1)/(2T)) sum over k != y of max(0, T/(T-1) - (u_y - u_k)).
    Not consistent for T >= 3.
    """

    name: ClassVar[str] = "relative"
    sparse: ClassVar[bool] = True

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        return _scale(S) * np.maximum(_shortfall(S, y), 0.0).sum(axis=1)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        return _balanced((_shortfall(S, y) > 0) * S.dtype.type(_scale(S)), y)

    @staticmethod
    def row_step(u: Floats, y: int, g: Floats) -> float:
        n_classes = len(u)
        scale = sqrt((n_classes - 1) / (2.0 * n_classes))
        edge = u[y] - n_classes / (n_classes - 1.0)
        value, active = 0.0, 0
        for k in range(n_classes):
            over = u[k] - edge
            hit = over > 0.0 and k != y
            value += over if hit else 0.0
            active += 1 if hit else 0
            g[k] = scale if hit else 0.0
        g[y] = -scale * active
        return scale * value

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        # S'_k = S_k - w_k, S'_y = S_y + sum(w), w = clip(shortfall - sum(w), 0, scale step).
        from simplexcoding.losses.row_roots import box_weights

        S, y = scores_and_labels(S, y)
        S = centred(S)
        weights = box_weights(_shortfall(S, y), -1.0, _scale(S) * step_sizes(step, S))
        return S - _balanced(weights, y)

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        # Z = sum_k w_k (e_k - e_y) with 0 <= w <= scale; the value is -T/(T-1) sum(w).
        Z, y = scores_and_labels(Z, y)
        weights = centred(Z)
        weights[np.arange(len(y)), y] = 0.0
        scale = _scale(Z)
        feasible = within(np.maximum(-weights, weights - scale).max(axis=1))
        value = -_margin(Z) * np.clip(weights, 0.0, scale).sum(axis=1)
        return np.where(feasible, value, np.inf)

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """Scores on multiples of T/(T-1), in the order of P."""
        P = probabilities(P)
        return ordered_levels(P, _margin(P))

    def comparison(self, n_classes: int) -> Comparison | None:
        # At T = 2 it is the hinge.
        return Comparison(1.0, 1.0) if n_classes == 2 else None

    def is_consistent(self, n_classes: int) -> bool:
        return n_classes == 2

    def largest_pull(self, n_classes: int) -> float:
        return sqrt((n_classes - 1) / (2 * n_classes)) * n_classes


def _margin(S: Floats) -> float:
    return S.shape[1] / (S.shape[1] - 1)


def _scale(S: Floats) -> float:
    return sqrt((S.shape[1] - 1) / (2 * S.shape[1]))


def _shortfall(S: Floats, y: Indices) -> Floats:
    """T/(T-1) - (u_y - u_k), and -inf at k = y."""
    short = S - (own(S, y) - _margin(S))[:, None]
    short[np.arange(len(y)), y] = -np.inf
    return short


def _balanced(weights: Floats, y: Indices) -> Floats:
    """Weights with the row's total taken off at y."""
    weights[np.arange(len(y)), y] = -weights.sum(axis=1)
    return weights
