"""The simplex exponential loss of multiclass boosting (MCBoost)."""

from dataclasses import dataclass
from math import e, exp, log
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, Indices, centred
from simplexcoding.losses.log_odds import LogOddsLoss
from simplexcoding.losses.loss import (
    Odds,
    own,
    scores_and_labels,
    step_sizes,
    within,
)

# Logarithm of the largest float64.
_LARGEST = log(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Exponential(LogOddsLoss):
    """Exponential of half the shortfall to every wrong vertex.

    V(u, y) = sum over k != y of exp(-(u_y - u_k)/2). Values beyond the largest float
    are held at about that float.
    """

    name: ClassVar[str] = "exponential"
    odds: ClassVar[Odds | None] = Odds.SUM

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        return _terms(S, y).sum(axis=1)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        g = _terms(S, y) / 2
        g[np.arange(len(y)), y] = -g.sum(axis=1)
        return g

    @staticmethod
    def row_step(u: Floats, y: int, g: Floats) -> float:
        n_classes = len(u)
        largest = _LARGEST - log(2.0 * n_classes)
        total = 0.0
        for k in range(n_classes):
            g[k] = 0.0 if k == y else 0.5 * exp(min(0.5 * (u[k] - u[y]), largest))
            total += g[k]
        g[y] = -total
        return 2.0 * total

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        # S'_k = S_k - 2 w_k and S'_y = S_y + 2 sum(w).
        from simplexcoding.losses.row_roots import exponential_weights

        S, y = scores_and_labels(S, y)
        S = centred(S)
        moved = 2 * exponential_weights(S, y, step_sizes(step, S))
        moved[np.arange(len(y)), y] = -moved.sum(axis=1)
        return S - moved.astype(S.dtype)

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        # Z = sum_k w_k (e_k - e_y), w >= 0; the value is sum_k 2 w_k (log(2 w_k) - 1).
        Z, y = scores_and_labels(Z, y)
        weights = centred(Z)
        weights[np.arange(len(y)), y] = 0.0
        feasible = within((-weights).max(axis=1), 1 + np.abs(weights).max(initial=0.0))
        double = 2 * np.maximum(weights, 0.0)
        logs = np.log(double, out=np.zeros_like(double), where=double > 0)
        return np.where(feasible, (double * (logs - 1)).sum(axis=1), np.inf)

    def largest_pull(self, n_classes: int) -> float:
        return (n_classes - 1) / e


def _terms(S: Floats, y: Indices) -> Floats:
    """exp(-(u_y - u_k)/2), and 0 at k = y."""
    largest = log(np.finfo(S.dtype).max / (2 * S.shape[1]))
    terms = np.exp(np.minimum((S - own(S, y)[:, None]) / 2, largest))
    terms[np.arange(len(y)), y] = 0.0
    return terms
