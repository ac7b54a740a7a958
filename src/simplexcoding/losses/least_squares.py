"""Least squares on the simplex (S-LS)."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.loss import (
    Comparison,
    Loss,
    from_vertex,
    own,
    probabilities,
    scores_and_labels,
    step_sizes,
)


@dataclass(frozen=True)
class LeastSquares(Loss):
    """Squared distance to the vertex.

    V(u, y) = ||c_y - f||^2 = (T-1)/T ||u - G_y||^2, G = C C'.
    """

    name: ClassVar[str] = "least_squares"
    smooth: ClassVar[bool] = True

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        away = from_vertex(S, y)
        return _ratio(S) * np.einsum("ij,ij->i", away, away)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        return 2 * _ratio(S) * centred(from_vertex(S, y))

    @staticmethod
    def row_step(u: Floats, y: int, g: Floats) -> float:
        n_classes = len(u)
        ratio = (n_classes - 1) / n_classes
        value = 0.0
        for k in range(n_classes):
            away = u[k] - (1.0 if k == y else -1.0 / (n_classes - 1))
            g[k] = 2.0 * ratio * away
            value += ratio * away * away
        return value

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        S = centred(S)
        pull = 2 * _ratio(S) * step_sizes(step, S)[:, None]
        return S - pull / (1 + pull) * from_vertex(S, y)

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        # <Z, G_y> + ||Z||^2 T/(4(T-1)), and <Z, G_y> = T/(T-1) Z_y when Z sums to zero.
        Z, y = scores_and_labels(Z, y)
        Z = centred(Z)
        return (own(Z, y) + np.einsum("ij,ij->i", Z, Z) / 4) / _ratio(Z)

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """F = sum_k P_k c_k, that is u = T/(T-1) (P - 1/T)."""
        P = probabilities(P)
        return centred(P) / _ratio(P)

    def class_probabilities(self, S: ArrayLike) -> Floats:
        """P = ((T-1) u + 1)/T, put back on the simplex.

        It sums to one but may leave [0, 1]; the Euclidean projection cures that and keeps
        the largest.
        """
        from simplexcoding.projection import project_on_simplex

        S = np.asarray(S)
        n_classes = S.shape[1]
        return project_on_simplex(((n_classes - 1) * S + 1) / n_classes)

    def comparison(self, n_classes: int) -> Comparison:
        return Comparison(sqrt(2 * (n_classes - 1) / n_classes), 0.5)

    def is_consistent(self, n_classes: int) -> bool:
        return True

    def largest_pull(self, n_classes: int) -> float:
        return 0.5


def _ratio(S: Floats) -> float:
    return float(S.shape[1] - 1) / S.shape[1]
