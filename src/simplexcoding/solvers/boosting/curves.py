"""The risk along a direction, in the form that each loss and direction makes cheapest."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.losses import Loss
from simplexcoding.solvers.boosting.line_search import vertex_step

# No step moves two scores of a row apart by more: terms stay far from under- and overflow.
LONGEST_MOVE = 60.0


def longest_step(directions: Floats) -> float:
    """Step at which two scores of some row have moved apart by LONGEST_MOVE."""
    spread = float((directions.max(axis=1) - directions.min(axis=1)).max())
    return LONGEST_MOVE / spread if spread > 0 else 1.0


class Along:
    """What a direction may make cheaper than a search for its exact step."""

    def value(self, a: float) -> float:
        """Risk at a."""
        raise NotImplementedError

    def slope(self, a: float) -> float:
        """Return its derivative, which never decreases."""
        raise NotImplementedError

    def factors(self, a: float) -> Floats | None:
        """Factors of the terms of the risk at a, (L, T, T); None where they are not multiplied."""
        return None

    def vertex_step(self, longest: float) -> float | None:
        """The exact step where leaves are code vectors, None where it has no closed form."""
        return None


@dataclass(frozen=True)
class LossCurve(Along):
    """Risk of S + a D for any loss, by its own value and subgradient. O(n T) an evaluation.

    Parameters
    ----------
    loss : Loss
    S, D : (n, T) arrays, scores and their direction
    y, weights : (n,) arrays
    """

    loss: Loss
    S: Floats
    D: Floats
    y: Indices
    weights: Floats

    def value(self, a: float) -> float:
        return float(self.weights @ self.loss.value(self.S + a * self.D, self.y))

    def slope(self, a: float) -> float:
        gradient = self.loss.subgradient(self.S + a * self.D, self.y)
        return float(self.weights @ (gradient * self.D).sum(axis=1))


@dataclass(frozen=True)
class ExponentialCurve(Along):
    """Exponential risk along the leaves of a tree, O(L T^2) an evaluation whatever n is.

    R(a) = sum over leaves l and classes y, k of E_lyk exp(-a (g_ly - g_lk)/2),
    because a term of the loss is only multiplied when its row's scores move.

    Parameters
    ----------
    E : (L, T, T) array, weighted sums of exp(-(u_y - u_k)/2) over the rows of class y in
        leaf l, zero at k = y
    leaves : (L, T) array, the scores g_l
    """

    E: Floats
    leaves: Floats

    @cached_property
    def _rates(self) -> Floats:
        return (self.leaves[:, None, :] - self.leaves[:, :, None]) / 2

    def factors(self, a: float) -> Floats:
        return np.exp(a * self._rates)

    def vertex_step(self, longest: float) -> float:
        answered, every = self.leaves.argmax(axis=1), np.arange(len(self.leaves))
        right = self.E[every, answered].sum()
        wrong = self.E[every, :, answered].sum()
        return vertex_step(right, wrong, self.leaves.shape[1], longest)

    def value(self, a: float) -> float:
        return float((self.E * self.factors(a)).sum())

    def slope(self, a: float) -> float:
        return float((self.E * self._rates * self.factors(a)).sum())


@dataclass(frozen=True)
class LogisticCurve(Along):
    """Logistic risk along the leaves of a tree: one product per row and class, no exponential.

    R(a) = sum_i w_i log(1 + sum over k != y_i of O_ik e^(a (g_lk - g_ly))), l the leaf of i.

    Parameters
    ----------
    odds : (n, T) array O_ik = exp(u_k - u_y), zero at k = y
    leaf, y, weights : (n,) arrays
    leaves : (L, T) array, the scores g_l
    """

    odds: Floats
    leaf: Indices
    y: Indices
    weights: Floats
    leaves: Floats

    def value(self, a: float) -> float:
        return self._both(a)[0]

    def slope(self, a: float) -> float:
        return self._both(a)[1]

    def _both(self, a: float) -> tuple[float, float]:
        from simplexcoding.solvers.boosting.loops.line_search_sums import log_odds_along

        return log_odds_along(self.odds, self.leaf, self.y, self.weights, self.leaves, a)


def odds(S: Floats, y: Indices, pace: float = 1.0) -> Floats:
    """exp(pace (u_k - u_y)), (n, T), and zero at k = y; held below overflow."""
    rows = np.arange(len(y))
    away = np.exp(np.minimum(pace * (S - S[rows, y][:, None]), 500.0))
    away[rows, y] = 0.0
    return away
