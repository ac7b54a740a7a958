"""Splitting on the rows that matter: the others are checked, and join where they do matter."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.design.operators import Data
from simplexcoding.solvers.margin import MarginProblem, MarginSolution, State
from simplexcoding.solvers.solution import Report, Status, silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

# Of more rows than this share the whole operator is not much more expensive.
_WORTHWHILE_SHARE = 0.75
# Fewer rows than this are solved as a whole in less time than it takes to part them.
_FEWEST_ROWS = 1000
# What a part is solved to, in shares of the gap asked for: roughly while rows still join. The
# rest of it is left to the losses of rows outside.
_ROUGH_SHARE, _FINE_SHARE = 5.0, 0.8
# A part that is left farther from its optimum than this says little about the rows to join.
_ROUGHEST_PART = 0.1
_MOST_ROUNDS = 8
# A machine on so many times the rows that are needed still serves.
_SPARE_ROWS = 1.3


class WorkingSet(Splitting):
    """Solves margin problems on the rows that have a multiplier or a loss, where those are few.

    A row whose margin is met has no multiplier, and the optimum is that without it: the kernel
    of the other rows is then factorised in its place, (m/n)^3 of the operations, and each
    iteration takes (m/n)^2. Rows outside that turn out to have a loss join, and the next
    round starts where the last one ended. Every certificate is one of all rows: functions and
    dual points are continued by zeros. Under the hull every row matters.
    """

    def __init__(self, data: Data, tol: float) -> None:
        super().__init__(data, tol)
        self._part: tuple[Bools, Splitting] | None = None

    def solve(
        self,
        problems: Sequence[MarginProblem],
        stop: Stop,
        starts: Sequence[MarginSolution] | None = None,
        report: Report = silent,
    ) -> list[MarginSolution]:
        """Solve the problems in step, each on few rows or on all; see `Splitting.solve`."""
        if starts is None:
            starts = self.pilot(problems)
        if starts is None or len(self.data) < _FEWEST_ROWS or self.data.any_penalty:
            return super().solve(problems, stop, starts, report)
        few = [k for k, problem in enumerate(problems) if self._few(needed(problem, starts[k]))]
        found, done, spent = self._rounds(self.data, problems, few, stop, starts, report)
        rest = [k for k in range(len(problems)) if k not in done]
        if rest:
            left = replace(stop, max_iter=stop.max_iter - spent)
            begun = [found[k] for k in rest]
            whole = super().solve([problems[k] for k in rest], left, begun, report)
            for k, solution in zip(rest, whole, strict=True):
                before = spent if k in few else 0
                found[k] = replace(solution, iterations=before + solution.iterations)
        return found

    def _few(self, rows: Bools) -> bool:
        return 0 < int(rows.sum()) <= _WORTHWHILE_SHARE * len(rows)

    def _rounds(
        self,
        data: Data,
        problems: Sequence[MarginProblem],
        places: list[int],
        stop: Stop,
        starts: Sequence[MarginSolution],
        report: Report,
    ) -> tuple[list[MarginSolution], set[int], int]:
        """Solve the problems at some places on few rows.

        Returns the newest solution of every problem, the places that are done, and the
        iterations it took.
        """
        found, done = list(starts), set[int]()
        spent = 0
        rows = np.zeros(len(data), dtype=bool)
        for turn in range(_MOST_ROUNDS):
            for k in places:
                rows = rows | needed(problems[k], found[k])
            if not places or not self._few(rows):
                break
            rows, machine = self._machine(data, rows)
            fine = turn or _ROUGH_SHARE * stop.tol > _ROUGHEST_PART
            share = _FINE_SHARE if fine else _ROUGH_SHARE
            parts = machine.solve(
                [restricted(problems[k], rows) for k in places],
                Stop(share * stop.tol, stop.max_iter - spent),
                [start_on(found[k], rows) for k in places],
                report,
            )
            whole = [continued(part, rows) for part in parts]
            scores = data.scores(np.hstack([part.coefficients for part in whole]))
            by_problem = np.split(scores, len(parts), axis=1)
            for k, part, wide, S in zip(places, parts, whole, by_problem, strict=True):
                found[k] = widened(problems[k], wide, rows, S, spent)
                outside = found[k].certificate.primal - part.certificate.primal
                met = outside <= (1 - share) * stop.tol * found[k].certificate.primal
                if met and part.status is Status.CONVERGED:
                    done.add(k)
            spent += max(part.iterations for part in parts)
            places = [k for k in places if k not in done]
            if spent >= stop.max_iter:
                for k in places:
                    found[k] = replace(found[k], status=Status.ITERATIONS)
                return found, done.union(places), spent
        return found, done, spent

    def _machine(self, data: Data, rows: Bools) -> tuple[Bools, Splitting]:
        """A machine on these rows, or the last one where it has them and not many more."""
        if self._part is not None:
            held = self._part[0]
            if not (rows & ~held).any() and held.sum() <= _SPARE_ROWS * rows.sum():
                return self._part
        self._part = None  # The last one makes room.
        self._part = rows, Splitting(data.part(rows), self._tol)
        return self._part


def needed(problem: MarginProblem, found: MarginSolution) -> Bools:
    """Rows that have a multiplier or a loss; under the hull all of them, (n,)."""
    if problem.hull:
        return np.ones(len(problem.y), dtype=bool)
    lossy = problem.values(found.scores) > 0
    return np.asarray(lossy | (found.certificate.point.any(axis=1) & (problem.box > 0)))


def restricted(problem: MarginProblem, rows: Bools) -> MarginProblem:
    """The problem of some of the rows."""
    return replace(problem, y=problem.y[rows], box=problem.box[rows])


def start_on(found: MarginSolution, rows: Bools) -> MarginSolution:
    """A place for a problem of some rows to start from."""
    return replace(found, state=State(found.state.Z[rows], found.state.D[rows]))


def continued(part: MarginSolution, rows: Bools) -> MarginSolution:
    """Coefficients, dual point and multipliers of some rows, with zeros at all others."""
    values = (part.coefficients, part.certificate.point, part.state.D)
    B, point, D = (_continued(block, rows) for block in values)
    certificate = replace(part.certificate, point=point)
    return replace(part, coefficients=B, certificate=certificate, state=State(part.state.Z, D))


def widened(
    problem: MarginProblem, part: MarginSolution, rows: Bools, S: Floats, before: int
) -> MarginSolution:
    """A solution continued from some rows, with the certificate that it has on all.

    The dual point continued by zeros is feasible, with the same value: no loss is below
    zero. The primal value gains the losses of the other rows. S = K B; `before` iterations
    went ahead.
    """
    primal = problem.primal_value(S, float(np.vdot(part.coefficients, S)))
    Z = S.copy()
    Z[rows] = part.state.Z
    return replace(
        part,
        scores=S,
        certificate=replace(part.certificate, primal=primal),
        iterations=before + part.iterations,
        state=part.state._replace(Z=Z),
    )


def _continued(values: Floats, rows: Bools) -> Floats:
    whole = np.zeros((len(rows), values.shape[1]))
    whole[rows] = values
    return whole
