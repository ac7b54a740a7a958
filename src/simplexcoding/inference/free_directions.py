"""How the dual of a row answers when its scores move, read off the prox of its loss.

Near a solution with scores u_i and duals b_i, a row answers a move of its scores by
b_i -> b_i - D_i du_i. With G_i = -kappa b_i / box_i its subgradient and J_i the Jacobian of
prox at u_i + t G_i, step t: D_i = (box_i / kappa) V'' and V'' = (J_i^-1 - I) / t. Where V is
smooth that is its Hessian. At a kink J_i is singular: the dual is free in those directions
and the scores are held. Where V is flat or linear J_i is the identity and the dual stays.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, centred, slices
from simplexcoding.losses.loss import Loss
from simplexcoding.solvers.margin import MarginProblem

# Half the distance over which the prox is differenced; scores are of order one.
_HALF_DISTANCE = 1e-5
# Stiffness below this share of 1 / K_ii moves no score that anybody could see.
_FLAT = 1e-4
# Eigenvalues of J that differencing cannot tell from zero: kinks.
_KINK = 1e-7
_BLOCK = 2_000_000


class FreeDirections(NamedTuple):
    """Directions in which duals answer: D is the sum of e e' / compliance over those of a row.

    Parameters
    ----------
    rows : (m,) array, ascending; a row has as many directions as its scores are held in
    directions : (m, T) array, orthonormal within a row, each summing to zero
    compliance : (m,) array, how far scores give way to a dual; zero at kinks
    """

    rows: Indices
    directions: Floats
    compliance: Floats

    @classmethod
    def together(cls, parts: "Sequence[FreeDirections]") -> "FreeDirections":
        """Those of several sets of rows."""
        rows = np.concatenate([part.rows for part in parts])
        order = np.argsort(rows, kind="stable")
        directions = np.concatenate([part.directions for part in parts])
        compliance = np.concatenate([part.compliance for part in parts])
        return cls(rows[order], directions[order], compliance[order])

    def only(self, kept: Bools) -> "FreeDirections":
        """Some of the directions."""
        return FreeDirections(self.rows[kept], self.directions[kept], self.compliance[kept])


class ProxPoints(NamedTuple):
    """Solutions as arguments of prox: at - prox(at) = -give b, one vector per row.

    Parameters
    ----------
    at : (n, T) array
    step : (n,) array, that of prox
    give : (n,) array, step kappa / box
    """

    at: Floats
    step: Floats
    give: Floats

    def answers(self, problem: MarginProblem) -> tuple[Floats, Floats]:
        """Scores and duals, each (n, T), that every row by itself is content with."""
        scores = problem.loss.prox(self.at, problem.y, self.step)
        return scores, (scores - self.at) / self.give[:, None]


def prox_points(problem: MarginProblem, scores: Floats, duals: Floats, width: float) -> ProxPoints:
    """Where prox has the scores of a solution as its values, (n, T).

    Duals that are free are of order 1 / K_ii or, where that is more, of order box: the step
    brings either to order one, as scores are.

    Parameters
    ----------
    problem : MarginProblem without rows set aside
    scores, duals : (n, T) arrays of a solution
    width : float, the mean diagonal of the kernel
    """
    step = np.maximum(1.0, width * problem.box / problem.kappa)
    give = step * problem.kappa / problem.box
    return ProxPoints(centred(scores - give[:, None] * duals), step, give)


def free_directions(
    problem: MarginProblem, points: ProxPoints, rows: Indices | None = None
) -> FreeDirections:
    """Directions of all rows or of some, for every loss with a prox.

    O(n T^2), and O(T^3) per curved row.
    """
    numbers = np.arange(len(problem.y)) if rows is None else rows
    size = max(1, _BLOCK // problem.n_classes**2)
    # At least one block, so that no rows have no directions.
    parts = slices(max(len(numbers), 1), size)
    found = [_of_rows(problem, points, numbers[part]) for part in parts]
    return FreeDirections.together(found)


def _of_rows(problem: MarginProblem, points: ProxPoints, rows: Indices) -> FreeDirections:
    J = _jacobians(problem.loss, points.at[rows], problem.y[rows], points.step[rows])
    T = problem.n_classes
    curved = np.flatnonzero(np.abs(np.eye(T) - 1 / T - J).max(axis=(1, 2)) > _FLAT / T)
    shares, bases = np.linalg.eigh(J[curved] + 1 / T)
    row, place = np.nonzero(shares < 1 - _FLAT)
    share = shares[row, place]
    share = np.where(share < _KINK, 0.0, share)
    numbers = rows[curved[row]]
    compliance = points.give[numbers] * share / (1 - share)
    return FreeDirections(numbers, centred(bases[row, :, place]), compliance)


def _jacobians(loss: Loss, at: Floats, y: Indices, step: Floats) -> Floats:
    """Jacobians of prox on rows that sum to zero, symmetric, (n, T, T)."""
    n, T = at.shape
    J = np.empty((n, T, T))
    for k in range(T):
        move = np.full(T, -_HALF_DISTANCE / T)
        move[k] += _HALF_DISTANCE
        ahead, behind = (loss.prox(at + sign * move, y, step) for sign in (1, -1))
        J[:, :, k] = (ahead - behind) / (2 * _HALF_DISTANCE)
    return (J + J.transpose(0, 2, 1)) / 2
