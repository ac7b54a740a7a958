"""The simplex logistic loss: the log-likelihood of a softmax of the scores."""

from dataclasses import dataclass
from math import exp, log
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp, softmax

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.log_odds import LogOddsLoss
from simplexcoding.losses.loss import (
    Odds,
    own,
    scores_and_labels,
    step_sizes,
    within,
)


@dataclass(frozen=True)
class Logistic(LogOddsLoss):
    """Negative log-likelihood of the softmax of the scores.

    V(u, y) = log sum_k exp(u_k) - u_y.
    """

    name: ClassVar[str] = "logistic"
    odds: ClassVar[Odds | None] = Odds.LOGARITHM

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        return logsumexp(S - own(S, y)[:, None], axis=1)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        g = softmax(S, axis=1)
        g[np.arange(len(y)), y] = 0.0
        g[np.arange(len(y)), y] = -g.sum(axis=1)
        return g

    @staticmethod
    def row_step(u: Floats, y: int, g: Floats) -> float:
        n_classes = len(u)
        largest = u[0]
        for k in range(n_classes):
            largest = max(largest, u[k])
        total, rest = 0.0, 0.0
        for k in range(n_classes):
            g[k] = exp(u[k] - largest)
            total += g[k]
        g[y] = 0.0
        for k in range(n_classes):
            g[k] /= total
            rest += g[k]
        g[y] = -rest
        return log(total) + largest - u[y]

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        # S' = S + step (e_y - p), and the moves sum to zero.
        from simplexcoding.losses.row_roots import logistic_weights

        S, y = scores_and_labels(S, y)
        S = centred(S)
        rows = np.arange(len(y))
        moved = logistic_weights(S, y, step_sizes(step, S))
        moved[rows, y] = 0.0
        moved[rows, y] = -moved.sum(axis=1)
        return S - moved.astype(S.dtype)

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        # Z = p - e_y with p a probability vector; the value is sum_k p_k log p_k.
        Z, y = scores_and_labels(Z, y)
        p = centred(Z)
        p[np.arange(len(y)), y] += 1
        feasible = within((-p).max(axis=1))
        p = np.maximum(p, 0.0)
        logs = np.log(p, out=np.zeros_like(p), where=p > 0)
        return np.where(feasible, (p * logs).sum(axis=1), np.inf)

    def largest_pull(self, n_classes: int) -> float:
        # -<g, u> = entropy(softmax u) - V, and V >= 0.
        return log(n_classes)
