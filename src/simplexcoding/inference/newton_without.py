"""Newton's method for a margin machine, and for the same machine without one of its rows.

Let every row name a point q_j, with prox(q_j) its scores and (prox(q_j) - q_j) / give_j its
dual. The machine is solved where K times the duals gives the scores, and without row i where
that row's dual is zero. With r = K B - Z and E, s as in `free_directions`, a step is

(E'KE + s) x = -E'r,   dB = E x,   dZ = K dB + r.

For hinges the equation is linear on each face: the method ends where no row changes face.
Far from there s is damped by a share of the residual, and steps are shortened until it falls.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve, get_lapack_funcs

from simplexcoding.arrays import Floats, centred
from simplexcoding.design.linear_algebra.factor import cholesky_in_place, few_threads
from simplexcoding.design.operators import Data
from simplexcoding.inference.free_directions import (
    FreeDirections,
    ProxPoints,
    free_directions,
    prox_points,
)
from simplexcoding.solvers.margin import MarginProblem

_FEWEST_STEPS, _MOST_STEPS = 10, 60
# Steps that may fail to lower the residual: some lead to a better face, more lead nowhere.
_MOST_STALLED = 15
# Multiplications that large machines may take for more than the fewest steps.
_MULTIPLICATIONS = 1e12
# Parts of a step, tried in turn until the residual falls.
_FRACTIONS = 0.5 ** np.arange(8)
# Compliance added to every direction, in units of the residual: kernels of low rank leave
# duals undecided, and faces far from the solution then send steps away from it.
_DAMPING = 0.01
# Where K B gives the scores Z to this much the machine is solved.
_SOLVED = 1e-9
_EPS = float(np.finfo(np.float64).eps)


class Solved(NamedTuple):
    """A machine at its solution, from which rows can be left out.

    Parameters
    ----------
    problem : MarginProblem without rows set aside
    data : Gram or Spectral, the kernel
    scores, duals : (n, T) arrays
    points : ProxPoints
    free : FreeDirections
    """

    problem: MarginProblem
    data: Data
    scores: Floats
    duals: Floats
    points: ProxPoints
    free: FreeDirections

    @classmethod
    def near(cls, problem: MarginProblem, data: Data, scores: Floats, duals: Floats) -> "Solved":
        """The machine whose solution these scores and duals are near to."""
        points = prox_points(problem, scores, duals, data.mean_diagonal())
        return cls(problem, data, scores, duals, points, free_directions(problem, points))

    def polished(self) -> "Solved":
        """The same to rounding; itself where Newton's method does not get there."""
        Z, B = self.points.answers(self.problem)
        return self._moved(Z, B)._newton(self.data.scores(B) - Z) or self

    def scores_without(self, i: int) -> Floats | None:
        """Scores of row i by the machine without it, (T,); None where they are not found.

        O(m^3 + n^2 T) per step, a handful of steps.
        """
        B = self.duals.copy()
        B[i] = 0.0
        start = self._replace(free=self.free.only(self.free.rows != i))._moved(self.scores, B)
        column = self.data.among(np.arange(len(B)), np.array([i]))
        found = start._newton(-column * self.duals[i], i)
        return None if found is None else found.scores[i]

    def _newton(self, residual: Floats, aside: int | None = None) -> "Solved | None":
        """The solution, perhaps without a row, from where K B - Z is the residual."""
        here, stalled = self, 0
        steps = _MULTIPLICATIONS / max(len(self.free.rows), 1) ** 3
        for _ in range(int(np.clip(steps, _FEWEST_STEPS, _MOST_STEPS))):
            dB = here._answer(residual)
            dZ = self.data.scores(dB) + residual
            for fraction in _FRACTIONS:
                there = here._moved(here.scores + fraction * dZ, here.duals + fraction * dB)
                Z, B = there._answers(aside)
                rest = self.data.scores(B) - Z
                if np.linalg.norm(rest) < np.linalg.norm(residual):
                    break
            else:
                stalled += 1
                if stalled > _MOST_STALLED:
                    return None
            off = np.abs(Z - there.scores).max(axis=1) > _SOLVED
            turned = free_directions(self.problem, there.points, np.flatnonzero(off))
            free = FreeDirections.together([here.free.only(~off[here.free.rows]), turned])
            here, residual = there._replace(scores=Z, duals=B, free=free), rest
            if np.abs(rest).max() <= _SOLVED:
                return here
        return None

    def _answers(self, aside: int | None) -> tuple[Floats, Floats]:
        """Scores and duals that the rows are content with, the one aside without a dual."""
        Z, B = self.points.answers(self.problem)
        if aside is not None:
            Z[aside], B[aside] = self.points.at[aside], 0.0
        return Z, B

    def _moved(self, scores: Floats, duals: Floats) -> "Solved":
        # Rounding in what should sum to zero grows by the kernel's largest eigenvalue per step.
        at = centred(scores - self.points.give[:, None] * duals)
        return self._replace(scores=scores, duals=duals, points=self.points._replace(at=at))

    def _answer(self, residual: Floats) -> Floats:
        """Moves of the duals, dB = -E (E'KE + s)^-1 E'r with s damped, (n, T)."""
        rows, E, _ = self.free
        dB = np.zeros_like(residual)
        if len(rows):
            A = between(self.data, self.free)
            A[np.diag_indices(len(A))] += _DAMPING * np.abs(residual).max()
            factor = cholesky_in_place(A.T, clean=False)
            along = (E * residual[rows]).sum(axis=1)
            x = cho_solve((factor, True), -along, check_finite=False)
            np.add.at(dB, rows, E * x[:, None])
        return dB


def between(data: Data, free: FreeDirections) -> Floats:
    """E'KE + s, (m, m), with what rounding may have taken from its least eigenvalue."""
    rows, place = np.unique(free.rows, return_inverse=True)
    A = data.among(rows, rows)[np.ix_(place, place)]
    A *= free.directions @ free.directions.T
    largest = np.abs(A).sum(axis=1).max(initial=0.0)
    A[np.diag_indices(len(A))] += free.compliance + len(A) * _EPS * largest
    return A


def inverse(A: Floats) -> Floats:
    """The inverse of a positive definite matrix, which is spent."""
    if not len(A):
        return A
    (potri,) = get_lapack_funcs(("potri",), (A,))
    factor = cholesky_in_place(A.T)
    with few_threads(factor):
        lower, _ = potri(factor, lower=1, overwrite_c=1)
    lower += np.tril(lower, -1).T
    return np.asarray(lower)
