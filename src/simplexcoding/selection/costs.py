"""Choosing C of a margin machine by rows that are set aside."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.losses.loss import from_vertex
from simplexcoding.rows import hold_out
from simplexcoding.selection.path import Path
from simplexcoding.selection.row_copies import held_out_copies
from simplexcoding.solvers.margin import MarginProblem, MarginSolution
from simplexcoding.solvers.solution import Report, silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting
from simplexcoding.solvers.splitting.sample import Sample

# The part of the rows that is set aside.
_HELD_OUT_SHARE = 0.2
# Held-out accuracies settle long before the gap is closed: the path is solved less far, and
# values that are only compared less far still.
_ROUGHER, _ROUGHEST, _COMPARED = 10, 1e-2, 0.1
# "auto" goes by half decades, a path that only says where to look by decades, for four decades
# at least. It ends where accuracies do not rise, and have been lower than the best for a decade,
# and at two values of C, by more than their standard error, or no higher for three decades: they
# may stand still for long, and dip on the way up.
_PER_DECADE, _PILOT_PER_DECADE = 2, 1
_LEAST_DECADES, _MOST_DECADES, _NO_HIGHER_DECADES, _LEAST_LOWER = 4, 15, 3, 2
# Small C are cheap and share their products; of large ones no more are solved than needed.
_COSTS_IN_STEP = 4
# A solution within so many times the tolerance of the optimum at the next C stands for it.
_SETTLED = 3.0
# A solution this far off, relative to its objective, is another machine than the one asked for.
_UNSOLVED_GAP = 0.1
_STRETCHES_OF_THE_DUAL = (1.0, 1.003, 1.01)
# The path that says where to look: a quarter of the rows, a thousand at least, of those that
# learn half at most; and iterations.
_SAMPLED_SHARE, _LEAST_SAMPLED, _MOST_SAMPLED_SHARE, _PILOT_ITERATIONS = 0.25, 1000, 0.5, 300


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
        return float(self._weights.sum() ** 2 / np.square(self._weights).sum())

    def settled(self, cost: float, near: float) -> bool:
        """Whether the solution at `near` serves at `cost` too: its gap there is small.

        A little longer, which changes no decision, it may leave no margin violated.
        """
        found, there = self.solutions[near], self._part.scaled(cost)
        gaps = (found.gap_at(there, stretch) for stretch in _STRETCHES_OF_THE_DUAL)
        return any(gap <= _SETTLED * min(self._stop.tol, _ROUGHEST) for gap in gaps)

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

    def score(self, cost: float) -> float:
        """Accuracy on the rows set aside."""
        right = self.solutions[cost].scores[self._held].argmax(axis=1) == self._y
        return float(np.average(right, weights=self._weights))

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


def rougher(stop: Stop) -> Stop:
    """When machines without some of the rows are near enough to score those."""
    return replace(stop, tol=max(stop.tol, min(_ROUGHER * stop.tol, _ROUGHEST)))


def choose_cost(
    machine: Splitting,
    problem: MarginProblem,
    X: Any,
    stop: Stop,
    given: Any,
    seed: int,
    report: Report = silent,
) -> tuple[float, Path | None, MarginSolution | None]:
    """C, the path it was chosen on and a solution to start from; None where nothing is to choose.

    Parameters
    ----------
    machine, problem, stop : as in `search_costs`
    X : (n, p) array, the rows, whose copies are set aside together
    given : float or values of C, or None
        Where None and no row can be set aside, C is 1.
    seed : int
    """
    costs = None if given is None else np.unique(np.asarray(given, dtype=np.float64)).tolist()
    if costs is not None and len(costs) == 1:
        return costs[0], None, None
    held = held_out_copies(X, problem.y, _HELD_OUT_SHARE, seed)
    if not len(held):
        if costs is None:
            return 1.0, None, None
        raise ValueError(
            f"C={given!r} needs rows to hold out and {len(problem.y)} are too few: give one C."
        )
    path, start = search_costs(machine, problem, held, stop, costs, report)
    return float(path.C[path.best]), path, start


def search_costs(
    machine: Splitting,
    problem: MarginProblem,
    held: Indices,
    stop: Stop,
    costs: Sequence[float] | None = None,
    report: Report = silent,
) -> tuple[Path, MarginSolution]:
    """Choose C by the accuracy on held-out rows.

    Given values are all solved, in step. Without them a path goes up by half decades from
    where every row violates its margin to where nothing changes or accuracies have long
    fallen. On a whole kernel that path is one by decades, of a sample of the rows; then all
    rows are asked at its best value and half a decade to both sides, and on while the best
    lies at an edge. Values are compared at a gap of 0.1, and the best is solved further.

    Parameters
    ----------
    machine : Splitting
    problem : MarginProblem with C = 1
    held : (h,) array of rows to set aside
    stop : Stop of the fit; the search stops at ten times its gap, at most 1e-2
    costs : values of C, ascending, or None

    Returns
    -------
    path, and the solution of its best C without the held-out rows
    """
    rough = rougher(stop)
    if costs is not None or machine.data.any_penalty:
        exact, pilot = HeldOut(machine, problem, held, rough), None
        if costs is None:
            _ascend(exact, _PER_DECADE, report)
        else:
            exact.solve(costs, report=report)
    else:
        compared = replace(stop, tol=max(stop.tol, _COMPARED))
        exact = HeldOut(machine, problem, held, compared)
        brief = replace(compared, max_iter=min(stop.max_iter, _PILOT_ITERATIONS))
        pilot = _sampled(machine, problem, held, brief)
        _ascend(pilot, _PILOT_PER_DECADE, report)
        _refine(exact, pilot, report)
        while exact.finish(rough, report):
            _walk(exact, min(pilot.solutions))
    path = exact.path
    if pilot is not None:
        rest = [k for k, cost in enumerate(pilot.path.C) if cost not in exact.solutions]
        seen = pilot.path.at(rest)
        path = path.joined(replace(seen, exact=np.zeros(len(rest), dtype=bool)))
    return path, exact.solutions[exact.best]


def _sampled(machine: Splitting, problem: MarginProblem, held: Indices, stop: Stop) -> HeldOut:
    """The problem on a sample of the rows that are not held out, judged on the same rows.

    The best C grows with the number of rows, about as that does: weights are scaled so that
    a row of the sample has its share of them.
    """
    learn = np.setdiff1d(np.arange(len(problem.y)), held)
    size = max(_LEAST_SAMPLED, _SAMPLED_SHARE * len(problem.y))
    share = min(size / len(learn), _MOST_SAMPLED_SHARE)
    rest, drawn = hold_out(problem.y[learn], share, np.random.default_rng(0))
    rows = np.zeros(len(problem.y), dtype=bool)
    rows[learn[drawn]] = True
    weight = problem.box[rows].sum() / problem.box[learn].sum()
    part = problem.without(learn[rest]).scaled(weight)
    return HeldOut(Sample(machine.data, rows, stop.tol), part, held, stop)


def _ascend(trial: HeldOut, per_decade: int, report: Report) -> None:
    """Solve along a path of C until it has said all."""
    start = int(np.floor(per_decade * np.log10(trial.first())))
    least, most = _LEAST_DECADES * per_decade, _MOST_DECADES * per_decade
    places = [_cost(start + k, per_decade) for k in range(most)]
    trial.solve(places[:_COSTS_IN_STEP])
    done = _COSTS_IN_STEP
    while done < most:
        report(done / most)
        if done >= least and _has_peaked(trial.path.score, trial.n_judged, per_decade):
            return
        last = places[done - 1]
        if trial.settled(places[done], last):
            trial.solutions[places[done]] = trial.solutions[last]
            if trial.settled(1e4 * places[done], last):
                return  # No row violates its margin by anything that counts.
            done += 1
        else:
            batch = places[done : done + (_COSTS_IN_STEP if done < least else 1)]
            trial.solve(batch, [trial.solutions[last]] * len(batch))
            done += len(batch)
            if trial.solutions[places[done - 1]].gap > _UNSOLVED_GAP:
                return  # A pilot has come to where it says nothing of the optimum.


def _has_peaked(scores: Floats, n_judged: float, per_decade: int) -> bool:
    """Whether the last scores, each of so many rows, say that the best one lies behind."""
    best = int(np.argmax(scores))
    top = float(scores[best])
    error = _standard_error(top, n_judged)
    if scores[-1] > scores[-2] + error:
        # Where every margin is violated means of classes decide, at times better than what follows.
        return False
    lower = np.all(scores[-max(_LEAST_LOWER, per_decade) :] < top - error)
    return bool(lower) or len(scores) - 1 - best >= _NO_HIGHER_DECADES * per_decade


def _standard_error(score: float, n_judged: float) -> float:
    """Of an accuracy on so many rows; with a right and a wrong row added it is never zero."""
    share = (score * n_judged + 1) / (n_judged + 2)
    return float(np.sqrt(share * (1 - share) / (n_judged + 2)))


def _climbs(scores: Floats, n_judged: float) -> bool:
    """Whether the last score is above the one before by more than its standard error."""
    return bool(scores[-1] > scores[-2] + _standard_error(float(scores[-1]), n_judged))


def _refine(exact: HeldOut, pilot: HeldOut, report: Report) -> None:
    """Ask all rows around the best of a pilot, and on where the best is at an edge.

    While accuracies climb by more than their standard error, values above are asked in pairs,
    which share products. Where they did at the end of the pilot, the value below its best is
    asked only if it may be best.

    A sample may be too small to do better than the class means that decide while every margin
    is violated. So all rows are asked around the best value beyond those, and at them where
    they led.
    """
    path = pilot.path
    beyond = np.flatnonzero(np.cumsum(path.score != path.score[0]))
    rest = path.at(beyond.tolist()) if len(beyond) else path
    middle = _place(float(rest.C[rest.best]))
    ended = _cost(middle) == max(pilot.solutions) and _climbs(path.score, exact.n_judged)
    around = [_cost(middle + k) for k in ((0, 1) if ended else (-1, 0, 1))]
    exact.solve(around, [pilot.solutions[_cost(middle)]] * len(around), report)
    _walk(exact, min(pilot.solutions))
    if pilot.best not in exact.solutions and pilot.best < around[0]:
        exact.solve([pilot.best], [pilot.solutions[pilot.best]])


def _walk(exact: HeldOut, least: float) -> None:
    """Ask on while the best value lies at an edge of those asked, down to the least."""
    while len(exact.solutions) < _MOST_DECADES * _PER_DECADE:
        best = exact.best
        if best == max(exact.solutions):
            steps = (1, 2) if _climbs(exact.path.score, exact.n_judged) else (1,)
            following = [_cost(_place(best) + k) for k in steps]
            if exact.settled(following[0], best):
                break
        elif best == min(exact.solutions) > least:
            following = [_cost(_place(best) - 1)]
        else:
            break
        # Its operator is at hand, and it is nearer than what a pilot has left unsolved.
        exact.solve(following, [exact.solutions[best]] * len(following))


def _cost(place: int, per_decade: int = _PER_DECADE) -> float:
    """The value of C at a place of the path."""
    return float(10.0 ** (place / per_decade))


def _place(cost: float) -> int:
    return round(_PER_DECADE * np.log10(cost))
