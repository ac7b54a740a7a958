"""Risks of a distribution with finitely many points."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, Indices, class_indices
from simplexcoding.losses.loss import Loss


@dataclass(frozen=True, eq=False)
class FiniteDistribution:
    """A distribution over m points and T classes.

    Point i has weight w_i and class k there has probability P_ik. The misclassification
    risk of labels b is sum_i w_i (1 - P_(i, b_i)), the expected loss of scores S is
    sum_i w_i sum_k P_ik V(S_i, k), and an excess is a risk less the least possible one.

    Parameters
    ----------
    P : (m, T) array of conditional class probabilities
    weights : (m,) array of weights that sum to one, default=None
        None is 1/m each.

    Examples
    --------
    >>> from simplexcoding.losses import LeastSquares
    >>> from simplexcoding.relaxation import FiniteDistribution
    >>> rho = FiniteDistribution([[0.5, 0.3, 0.2], [0.1, 0.1, 0.8]])
    >>> rho.bayes_rule()
    array([0, 2])
    >>> round(rho.excess_misclassification([1, 2]), 3)
    0.1
    >>> round(rho.excess_loss(LeastSquares(), [[0.0, 0.0, 0.0], [-0.5, -0.5, 1.0]]), 3)
    0.08
    """

    P: ArrayLike
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        P = _probability_rows(self.P)
        weights = np.full(len(P), 1 / len(P)) if self.weights is None else self.weights
        object.__setattr__(self, "P", _frozen(P))
        object.__setattr__(self, "weights", _frozen(_point_weights(weights, len(P))))

    @property
    def n_points(self) -> int:
        """Number m of points."""
        return len(self._rows)

    @property
    def n_classes(self) -> int:
        """Number T of classes."""
        return int(self._rows.shape[1])

    def bayes_rule(self) -> Indices:
        """Most likely class of each point, (m,); the lowest index at ties."""
        return self._rows.argmax(axis=1)

    def bayes_risk(self) -> float:
        """Least misclassification risk, sum_i w_i (1 - max_k P_ik)."""
        return self._mean(1 - self._rows.max(axis=1))

    def misclassification_risk(self, labels: ArrayLike) -> float:
        """Probability that the class differs from labels, an (m,) array of indices."""
        return self._mean(1 - self._chosen(labels))

    def excess_misclassification(self, labels: ArrayLike) -> float:
        """Misclassification risk of labels less the Bayes risk."""
        # The difference is taken point by point: no cancellation when it is small.
        return self._mean(self._rows.max(axis=1) - self._chosen(labels))

    def expected_loss(self, loss: Loss, S: ArrayLike) -> float:
        """Mean loss of scores S, (m, T)."""
        return self._mean(conditional_loss(loss, S, self._rows))

    def minimal_loss(self, loss: Loss) -> float:
        """Least expected loss, that of the conditional minimiser."""
        return self.expected_loss(loss, loss.conditional_minimizer(self._rows))

    def excess_loss(self, loss: Loss, S: ArrayLike) -> float:
        """Mean loss of scores S, (m, T), less the least one."""
        least = conditional_loss(loss, loss.conditional_minimizer(self._rows), self._rows)
        return self._mean(conditional_loss(loss, S, self._rows) - least)

    @property
    def _rows(self) -> Floats:
        return np.asarray(self.P)

    def _chosen(self, labels: ArrayLike) -> Floats:
        index = class_indices(labels, self.n_classes)
        if len(index) != self.n_points:
            raise ValueError(f"labels must have {self.n_points} entries, got {len(index)}.")
        return self._rows[np.arange(self.n_points), index]

    def _mean(self, values: Floats) -> float:
        # A point of weight zero does not count, even where its loss is infinite.
        weights = np.asarray(self.weights)
        return float(weights[weights > 0] @ values[weights > 0])


def conditional_loss(loss: Loss, S: ArrayLike, P: ArrayLike) -> Floats:
    """Mean loss at each point, sum_k P_ik V(S_i, k), (m,).

    Parameters
    ----------
    loss : Loss
    S : (m, T) array of scores
    P : (m, T) array of probabilities

    Examples
    --------
    >>> from simplexcoding.losses import ConeHinge
    >>> conditional_loss(ConeHinge(), [[0.0, 0.0, 0.0]], [[0.5, 0.3, 0.2]])
    array([1.])
    """
    S, P = np.asarray(S, dtype=np.float64), np.asarray(P, dtype=np.float64)
    if S.shape != P.shape:
        raise ValueError(f"S must have the shape {P.shape} of P, got {S.shape}.")
    total = np.zeros(len(P))
    for k in range(P.shape[1]):
        (possible,) = np.nonzero(P[:, k])
        labels = np.full(len(possible), k)
        total[possible] += P[possible, k] * loss.value(S[possible], labels)
    return total


def _probability_rows(P: ArrayLike) -> Floats:
    rows = np.array(P, dtype=np.float64)
    if rows.ndim != 2 or len(rows) == 0 or rows.shape[1] < 2:
        raise ValueError(f"P must have shape (m, T) with m >= 1 and T >= 2, got {rows.shape}.")
    wrong = ~(np.all(rows >= 0, axis=1) & (np.abs(rows.sum(axis=1) - 1) <= 1e-6))
    if np.any(wrong):
        i = int(wrong.argmax())
        raise ValueError(
            f"P must hold probabilities, but row {i} is {rows[i]}; "
            "make its entries non-negative and divide it by its sum."
        )
    return rows


def _point_weights(weights: ArrayLike, n_points: int) -> Floats:
    w = np.array(weights, dtype=np.float64)
    if w.shape != (n_points,):
        raise ValueError(f"weights must have shape ({n_points},), got {w.shape}.")
    if not (np.all(w >= 0) and abs(w.sum() - 1) <= 1e-6):
        raise ValueError(
            f"weights must be non-negative and sum to one, got minimum {w.min()} "
            f"and sum {w.sum()}; divide non-negative weights by their sum."
        )
    return w


def _frozen(values: Floats) -> Floats:
    values.setflags(write=False)
    return values
