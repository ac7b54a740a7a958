"""Which rows learn in which round, seen through a method that notes its rows."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from reference.boosting import Shift
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.booster import Booster, HoldOut, best_of
from simplexcoding.solvers.boosting.held_out import Watch, share_of_errors
from simplexcoding.solvers.boosting.regressors import RegressorEnsemble
from simplexcoding.solvers.boosting.rounds import Round
from simplexcoding.solvers.solution import Status


@dataclass
class Noting:
    """Adds one per round, and notes the rows, the start and the numbers of its rounds."""

    rows: Rows
    log: list

    def start(self, S):
        self.log.append((set(self.rows.X[:, 0]), None if S is None else S[0, 0], []))
        return self.log[-1]

    def round(self, state, number):
        state[2].append(number)
        return Round((Shift(1.0),), float(len(self.rows)))


def booster(log, n_rounds, hold_out):
    def method_for(rows, places):
        assert np.array_equal(ROWS.X[places], rows.X)
        return Noting(rows, log)

    return Booster(method_for, RegressorEnsemble.of, n_rounds, hold_out, seed=0)


ROWS = Rows(np.arange(40.0)[:, None], np.arange(40) % 2, 2)


def falling(until):
    """A measure that falls until a round and rises from there."""
    calls = iter(range(100))
    return lambda scores, rows: abs(next(calls) - (until - 1))


def test_without_rows_held_out_all_learn():
    log = []
    solution = booster(log, 5, None).fit(ROWS)
    assert log == [(set(range(40)), None, [0, 1, 2, 3, 4])]
    assert solution.status is Status.ROUNDS
    assert solution.iterations == len(solution.function.parts) == 5
    assert solution.function.scores(ROWS.X)[0].tolist() == [5.0, -5.0]
    trail = solution.trail
    assert trail.held_out is None and trail.risks.tolist() == [40.0] * 5


def test_one_fold_watches_and_then_joins_for_a_quarter():
    log = []
    hold_out = HoldOut(Watch(falling(8), 4), 10, join=True)
    solution = booster(log, 50, hold_out).fit(ROWS)
    (learn, _, watched), (everyone, start, joint) = log
    assert len(learn) == 36 and everyone == set(range(40))
    assert watched == list(range(12)) and joint == [8, 9]
    assert start == 8.0
    assert solution.iterations == 10
    trail = solution.trail
    assert trail.risks.tolist() == [36.0] * 8 + [40.0] * 2
    assert trail.measures.tolist() == list(range(7, -1, -1))
    assert len(trail.held_out) == 4 and np.bincount(trail.held_out.y).tolist() == [2, 2]
    assert trail.scores[:, 0].tolist() == [8.0] * 4


def test_joining_stays_within_the_rounds_allowed():
    log = []
    solution = booster(log, 10, HoldOut(Watch(falling(99), 99), 10, join=True)).fit(ROWS)
    assert [len(numbers) for _, _, numbers in log] == [8, 2]
    assert solution.iterations == 10
    for n_rounds in range(1, 60):
        hold_out = HoldOut(Watch(falling(99), 99), 10, join=True)
        assert booster([], n_rounds, hold_out).fit(ROWS).iterations == n_rounds


def test_every_fold_is_held_out_in_step_and_all_rows_learn_afterwards():
    log = []
    hold_out = HoldOut(Watch(falling(6), 2), 5, every=True)
    solution = booster(log, 50, hold_out).fit(ROWS)
    *folds, last = log
    assert len(folds) == 5
    assert all(len(learn) == 32 and len(numbers) == 8 for learn, _, numbers in folds)
    assert set.union(*(set(range(40)) - learn for learn, _, _ in folds)) == set(range(40))
    assert last == (set(range(40)), None, list(range(6)))
    assert solution.iterations == 6
    assert len(solution.trail.held_out) == len(solution.trail.scores) == 40


@pytest.mark.parametrize("hold_out", [None, HoldOut(Watch(share_of_errors, 50), 4)])
def test_rounds_go_on_from_an_earlier_ensemble(hold_out):
    log = []
    first = booster(log, 3, hold_out).fit(ROWS)
    second = booster(log, 5, hold_out).fit(ROWS, first.function)
    before = first.iterations
    assert log[1][1:] == (before, list(range(before, 5)))
    assert second.iterations >= before
    scores = second.function.scores(ROWS.X)
    assert np.all(scores[:, 0] == second.iterations)


def test_rows_that_cannot_be_held_out_all_learn():
    same = Rows(np.zeros((6, 1)), np.arange(6) % 2, 2)
    log = []
    maker = Booster(
        lambda rows, places: Noting(rows, log),
        RegressorEnsemble.of,
        3,
        HoldOut(Watch(share_of_errors, 1), 5, every=True),
        seed=0,
    )
    assert maker.fit(same).iterations == 3
    assert len(log) == 1


def test_rows_of_equal_marks_are_held_out_together():
    log = []
    hold_out = HoldOut(Watch(share_of_errors, 1), 5)
    marked = replace(booster(log, 2, hold_out), marks=(np.arange(40) // 8)[:, None])
    marked.fit(ROWS)
    out = set(range(40)) - log[0][0]
    # Each class has five marks of four rows: one of them is held out.
    assert {len([i for i in out if i % 2 == k]) for k in (0, 1)} == {4}
    assert all(len({i // 8 for i in out if i % 2 == k}) == 1 for k in (0, 1))


def test_of_several_boosters_the_held_out_rows_choose():
    def of(value):
        watch = Watch(lambda scores, rows: value, patience=1)
        return booster([], 3, HoldOut.once(watch, 0.5, join=False))

    def chosen(values):
        boosters = [of(value) for value in values]
        done = []
        found = best_of(boosters, ROWS, None, lambda fraction, *note: done.append(fraction))
        assert done == sorted(done) and done[-1] <= 1
        return found.trail.least

    assert chosen([3.0, 1.0, 2.0]) == 1.0
    assert chosen([3.0, 2.0, 1.0]) == 1.0
    assert chosen([2.0, 3.0, 1.0]) == 1.0
    alone = [booster([], rounds, None) for rounds in (4, 2)]
    assert best_of(alone, ROWS).iterations == 4
    assert best_of(alone, ROWS).trail.least == np.inf
    equal = [of(1.0), replace(of(1.0), n_rounds=1)]
    assert best_of(equal, ROWS).iterations == best_of(equal[:1], ROWS).iterations
