"""Choosing C of a margin machine by rows that are set aside."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.rows import hold_out
from simplexcoding.selection.held_out import ROUGHEST, HeldOut, climbs
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
_ROUGHER, _COMPARED = 10, 0.1
# "auto" goes by half decades, a path that only says where to look by decades, for four decades
# at least.
_PER_DECADE, _PILOT_PER_DECADE = 2, 1
_LEAST_DECADES, _MOST_DECADES = 4, 15
# Small C are cheap and share their products; of large ones no more are solved than needed.
_COSTS_IN_STEP = 4
# A solution this far off, relative to its objective, is another machine than the one asked for.
_UNSOLVED_GAP = 0.1
# The path that says where to look: a quarter of the rows, a thousand at least, of those that
# learn half at most; and iterations. Fewer rows for each class say little, and of fewer rows in all
# a part is hardly cheaper: then all are asked.
_SAMPLED_SHARE, _LEAST_SAMPLED, _MOST_SAMPLED_SHARE, _PILOT_ITERATIONS = 0.25, 1000, 0.5, 300
_SAMPLED_PER_CLASS, _FEWEST_TO_SAMPLE = 5, 2000


def rougher(stop: Stop) -> Stop:
    """When machines without some of the rows are near enough to score those."""
    return replace(stop, tol=max(stop.tol, min(_ROUGHER * stop.tol, ROUGHEST)))


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
    if costs is not None or not _worth_sampling(machine, problem):
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


def _worth_sampling(machine: Splitting, problem: MarginProblem) -> bool:
    """Whether some of the rows say where to look in less time than all."""
    n = len(problem.y)
    few = n < _FEWEST_TO_SAMPLE or _sample_size(n) < _SAMPLED_PER_CLASS * problem.n_classes
    return not (few or machine.data.any_penalty)


def _sample_size(n_rows: int) -> float:
    return max(_LEAST_SAMPLED, _SAMPLED_SHARE * n_rows)


def _sampled(machine: Splitting, problem: MarginProblem, held: Indices, stop: Stop) -> HeldOut:
    """The problem on a sample of the rows that are not held out, judged on the same rows.

    The best C grows with the number of rows, about as that does: weights are scaled so that
    a row of the sample has its share of them.
    """
    learn = np.setdiff1d(np.arange(len(problem.y)), held)
    share = min(_sample_size(len(problem.y)) / len(learn), _MOST_SAMPLED_SHARE)
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
        if done >= least and trial.has_peaked(per_decade):
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
    ended = _cost(middle) == max(pilot.solutions) and climbs(path.score, exact.n_judged)
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
            steps = (1, 2) if climbs(exact.path.score, exact.n_judged) else (1,)
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
