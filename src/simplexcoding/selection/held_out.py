"""A margin machine judged by rows that are set aside, at one value of C after the other."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.losses.loss import from_vertex
from simplexcoding.selection.path import Path
from simplexcoding.solvers.margin import MarginProblem, MarginSolution
from simplexcoding.solvers.solution import Report, silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

# Held-out accuracies say no more beyond this gap.
ROUGHEST = 1e-2
# A path ends where accuracies do not rise, and have been lower than the best for a decade, and at
# two values of C, by more than their standard error, or no higher for three decades: they may stand
# still for long, and dip on the way up. Nor does it end where the rows that are learnt from are got
# right less often than at the best: too large a C learns them too well.
_NO_HIGHER_DECADES, _LEAST_LOWER = 3, 2
# A solution within so many times the tolerance of the optimum at the next C stands for it.
_SETTLED = 3.0
_STRETCHES_OF_THE_DUAL = (1.0, 1.003, 1.01)


class HeldOut:
    """A problem without some of its rows, solved for values of C as they are asked for.

    Parameters
    ----------
    machine : Splitting
    problem : MarginProblem, with C = 1
    held : (h,) array of rows that are set aside and judged
    stop : Stop
    """

    def __init__(
        self, machine: Splitting, problem: MarginProblem, held: Indices, stop: Stop
    ) -> None:
        self._machine = machine
        self._part = problem.without(held)
        self._held = held
        self._y = problem.y[held]
        self._weights = problem.box[held]
        self._stop = stop
        self._finished = set[float]()
        self.solutions: dict[float, MarginSolution] = {}

    def solve(
        self,
        costs: Sequence[float],
        starts: Sequence[MarginSolution] | None = None,
        report: Report = silent,
    ) -> None:
        """Solve for these values in step."""
        problems = [self._part.scaled(cost) for cost in costs]
        found = self._machine.solve(problems, self._stop, starts, report)
        self.solutions |= dict(zip(costs, found, strict=True))

    @property
    def n_judged(self) -> float:
        """How many rows of equal weight tell as much as those set aside."""
        return _equal_rows(self._weights)

    def settled(self, cost: float, near: float) -> bool:
        """Whether the solution at `near` serves at `cost` too: its gap there is small.

        A little longer, which changes no decision, it may leave no margin violated.
        """
        found, there = self.solutions[near], self._part.scaled(cost)
        gaps = (found.gap_at(there, stretch) for stretch in _STRETCHES_OF_THE_DUAL)
        return any(gap <= _SETTLED * min(self._stop.tol, ROUGHEST) for gap in gaps)

    def finish(self, stop: Stop, report: Report = silent) -> bool:
        """Solve the best value on to this stop; whether another one is best then."""
        best = self.best
        if best in self._finished:
            return False
        self._finished.add(best)
        if self.solutions[best].gap > stop.tol:
            start = self.solutions[best]
            problem = self._part.scaled(best)
            (self.solutions[best],) = self._machine.solve([problem], stop, [start], report)
        return self.best != best

    @property
    def n_learnt(self) -> float:
        """How many rows of equal weight tell as much as those that are learnt from."""
        return _equal_rows(self._part.box)

    def score(self, cost: float) -> float:
        """Accuracy on the rows set aside."""
        right = self.solutions[cost].scores[self._held].argmax(axis=1) == self._y
        return float(np.average(right, weights=self._weights))

    def fit(self, cost: float) -> float:
        """Accuracy on the rows that are learnt from."""
        right = self.solutions[cost].scores.argmax(axis=1) == self._part.y
        return float(np.average(right, weights=self._part.box))

    def has_peaked(self, per_decade: int) -> bool:
        """Whether the values so far say that the best one lies behind."""
        scores = self.path.score
        if not peaked(scores, self.n_judged, per_decade):
            return False
        best, last = sorted(self.solutions)[int(np.argmax(scores))], max(self.solutions)
        return self.fit(last) >= self.fit(best) - standard_error(self.fit(best), self.n_learnt)

    def squared_error(self, cost: float) -> float:
        """Mean of ||c_y - f||^2 over the rows set aside: what decides between equal scores."""
        away = from_vertex(self.solutions[cost].scores[self._held], self._y)
        lengths = self._part.kappa * np.square(away).sum(axis=1)
        return float(np.average(lengths, weights=self._weights))

    @property
    def path(self) -> Path:
        """Scores at the values solved so far."""
        costs = sorted(self.solutions)
        path = Path.along("C", costs, [self.score(cost) for cost in costs])
        return replace(path, squared_error=np.array([self.squared_error(c) for c in costs]))

    @property
    def best(self) -> float:
        """The value with the highest score, of equals that with the lowest squared error."""
        path = self.path
        return float(path.C[path.best])

    def first(self) -> float:
        """C up to which every row violates its margin, so that the decisions stay.

        There the duals are at their bounds and the scores grow with C: it is reached when
        the largest of them is the margin 1/(T-1).
        """
        part = self._part
        zero = np.zeros((len(part.y), part.n_classes))
        bound = -part.box[:, None] * part.loss.subgradient(zero, part.y) / part.kappa
        largest = float(np.abs(self._machine.data.scores(bound)).max())
        return 1 / ((part.n_classes - 1) * largest) if largest > 0 else 1.0


def peaked(scores: Floats, n_judged: float, per_decade: int) -> bool:
    """Whether the last scores, each of so many rows, say that the best one lies behind."""
    best = int(np.argmax(scores))
    top = float(scores[best])
    error = standard_error(top, n_judged)
    if scores[-1] > scores[-2] + error:
        # Where every margin is violated means of classes decide, at times better than what follows.
        return False
    lower = np.all(scores[-max(_LEAST_LOWER, per_decade) :] < top - error)
    return bool(lower) or len(scores) - 1 - best >= _NO_HIGHER_DECADES * per_decade


def standard_error(score: float, n_judged: float) -> float:
    """Of an accuracy on so many rows; with a right and a wrong row added it is never zero."""
    share = (score * n_judged + 1) / (n_judged + 2)
    return float(np.sqrt(share * (1 - share) / (n_judged + 2)))


def climbs(scores: Floats, n_judged: float) -> bool:
    """Whether the last score is above the one before by more than its standard error."""
    return bool(scores[-1] > scores[-2] + standard_error(float(scores[-1]), n_judged))


def _equal_rows(weights: Floats) -> float:
    return float(weights.sum() ** 2 / np.square(weights).sum())
