"""The distance to the vertex, beyond a dead zone (Wu and Lange's vertex discriminant)."""

from dataclasses import dataclass
from math import sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.dead_zones import dead_zone_minimizer
from simplexcoding.losses.loss import (
    Loss,
    from_vertex,
    own,
    probabilities,
    scores_and_labels,
    step_sizes,
    within,
)


@dataclass(frozen=True)
class VertexDistance(Loss):
    """Distance to the vertex beyond a dead zone.

    V(u, y) = max(0, ||c_y - f|| - eps), ||c_y - f|| = sqrt((T-1)/T) ||u - G_y||.
    eps is half the distance between two vertices, 1/2 sqrt(2T/(T-1)); at T = 2 that
    would make f = 0 optimal for every distribution, so there eps = 1/2.

    Alone among the losses it is below one at a wrong vertex. It decodes to the likeliest
    class wherever every class has positive probability; where some have none, ties appear:
    for two of three classes at 0.4 and 0.6 the midpoint of their vertices costs nothing. A
    third class of small probability p breaks the tie by a lead of order p^2 only, which
    rounding hides where p is below about 1e-8.
    """

    name: ClassVar[str] = "vertex"

    def dead_zone(self, n_classes: int) -> float:
        """Return eps, the distance from the vertex that costs nothing."""
        return 0.5 if n_classes == 2 else sqrt(n_classes / (2 * (n_classes - 1)))

    def value(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        distance = _scale(S) * np.linalg.norm(from_vertex(S, y), axis=1)
        return np.maximum(distance - self.dead_zone(S.shape[1]), 0.0)

    def subgradient(self, S: ArrayLike, y: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        away = centred(from_vertex(S, y))
        length = np.linalg.norm(away, axis=1)
        active = _scale(S) * length > self.dead_zone(S.shape[1])
        slope = np.divide(_scale(S), length, out=np.zeros_like(length), where=active)
        return slope[:, None] * away

    @staticmethod
    def row_step(u: Floats, y: int, g: Floats) -> float:
        n_classes = len(u)
        square = 0.0
        for k in range(n_classes):
            g[k] = u[k] - (1.0 if k == y else -1.0 / (n_classes - 1))
            square += g[k] * g[k]
        scale = sqrt((n_classes - 1.0) / n_classes)
        dead_zone = 0.5 if n_classes == 2 else sqrt(n_classes / (2.0 * (n_classes - 1)))
        excess = scale * sqrt(square) - dead_zone
        slope = scale / sqrt(square) if excess > 0.0 else 0.0
        for k in range(n_classes):
            g[k] *= slope
        return max(excess, 0.0)

    def prox(self, S: ArrayLike, y: ArrayLike, step: ArrayLike) -> Floats:
        S, y = scores_and_labels(S, y)
        S = centred(S)
        away = from_vertex(S, y)
        length = np.linalg.norm(away, axis=1)
        excess = np.maximum(length - self.dead_zone(S.shape[1]) / _scale(S), 0.0)
        moved = np.minimum(_scale(S) * step_sizes(step, S), excess)
        away *= np.divide(moved, length, out=np.zeros_like(length), where=excess > 0)[:, None]
        return S - away

    def conjugate(self, Z: ArrayLike, y: ArrayLike) -> Floats:
        # <Z, G_y> + eps ||Z|| sqrt(T/(T-1)) where ||Z|| <= sqrt((T-1)/T).
        Z, y = scores_and_labels(Z, y)
        Z = centred(Z)
        n_classes = Z.shape[1]
        length = np.linalg.norm(Z, axis=1)
        value = own(Z, y) * n_classes / (n_classes - 1)
        value += self.dead_zone(n_classes) * length / _scale(Z)
        return np.where(within(length - _scale(Z)), value, np.inf)

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """Scores of the point of least expected distance; 0 for two equally likely classes.

        In double precision a lead of order p^2, p the probability of the least likely class
        of three, is lost below p of about 1e-8: P = (0.4, 0.6 - 1e-8, 1e-8) gives scores whose
        first two are equal to rounding, and may decode to the less likely of them.
        """
        P = probabilities(P)
        n_classes = P.shape[1]
        if n_classes == 2:
            # Between the dead zones the likelier class pulls harder: its border, a margin of 1/2.
            return np.sign(P - P[:, ::-1]) * (1 - self.dead_zone(2))
        return (n_classes * dead_zone_minimizer(P) - 1) / (n_classes - 1)

    def is_consistent(self, n_classes: int) -> bool:
        """True, for the loss as it is; computed minimisers may tie, see there."""
        return True

    def largest_pull(self, n_classes: int) -> float:
        return 1 - self.dead_zone(n_classes)


def _scale(S: Floats) -> float:
    return sqrt((S.shape[1] - 1) / S.shape[1])
