"""Splitting where most rows are set aside: on the kernel of the others alone."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simplexcoding.arrays import Bools
from simplexcoding.design.operators import Data
from simplexcoding.solvers.margin import MarginProblem, MarginSolution
from simplexcoding.solvers.solution import Report, silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting
from simplexcoding.solvers.splitting.pace import balanced_penalty
from simplexcoding.solvers.splitting.working_set import continued, restricted, start_on, widened


class Sample(Splitting):
    """Solves problems in which only m of n rows take part, (m/n)^2 of the work an iteration.

    Rows set aside keep their scores but need not be in the operator. Solutions are those of
    all rows, continued by zeros, so that a problem of more rows can start from them, with the
    penalty that suits where they ended, larger by the root of n/m. With n/m runs of the
    whole took longer, with neither they left that penalty.

    Parameters
    ----------
    data : Gram or Spectral, of all rows
    rows : (n,) mask; a problem's box is 0 at all others
    tol : float, as in `Splitting`
    """

    def __init__(self, data: Data, rows: Bools, tol: float) -> None:
        super().__init__(data, tol)
        self._rows = rows
        self._part = Splitting(data.part(rows), tol)

    def solve(
        self,
        problems: Sequence[MarginProblem],
        stop: Stop,
        starts: Sequence[MarginSolution] | None = None,
        report: Report = silent,
    ) -> list[MarginSolution]:
        """Solve the problems in step; see `Splitting.solve`."""
        rows, grown = self._rows, 1 / float(np.sqrt(self._rows.mean()))
        begun = None
        if starts is not None:
            begun = [replace(start_on(s, rows), rho=s.rho / grown) for s in starts]
        parts = [restricted(problem, rows) for problem in problems]
        found = [
            continued(replace(s, rho=grown * balanced_penalty(part, s.state)), rows)
            for part, s in zip(parts, self._part.solve(parts, stop, begun, report), strict=True)
        ]
        scores = self.data.scores(np.hstack([part.coefficients for part in found]))
        by_problem = np.split(scores, len(found), axis=1)
        return [
            widened(problem, part, rows, S, 0)
            for problem, part, S in zip(problems, found, by_problem, strict=True)
        ]
