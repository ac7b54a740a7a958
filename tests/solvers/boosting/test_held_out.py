"""Rounds that held-out rows watch."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from reference.boosting import Shift
from simplexcoding.inference.temperature import log_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.held_out import (
    CalibratedLogLoss,
    Fold,
    Watch,
    boost_watched,
    share_of_errors,
)
from simplexcoding.solvers.boosting.rounds import Round
from simplexcoding.solvers.solution import Status


@dataclass
class Script:
    """Rounds of given risks that all add one; None ends them."""

    risks: list
    seen: list = field(default_factory=list)

    def start(self, S):
        return S

    def round(self, state, number):
        self.seen.append(number)
        risk = self.risks[len(self.seen) - 1]
        return None if risk is None else Round((Shift(1.0),), risk)


def fold(labels, weights, risks=None, start=-2.5):
    rows = Rows(np.zeros((len(labels), 1)), np.array(labels), 2, np.array(weights))
    return Fold(Script(risks or [1.0] * 20), rows, np.full((len(labels), 1), start))


@pytest.mark.parametrize("patience", [1, 3])
def test_rounds_stop_at_the_least_measure(patience):
    # Every round adds one to f, which starts at -2.5, and at T = 2 f > 0 answers class 0:
    # rows of class 0 are wrong for two rounds, the row of class 1 from then on.
    watched = fold([0, 0, 1], [0.4, 0.4, 0.2])
    seen = boost_watched([watched], 20, Watch(share_of_errors, patience))
    assert seen.status is Status.HELD_OUT
    expected = [0.8] if patience == 1 else [0.8, 0.8, 0.2]
    assert seen.best == len(expected)
    assert seen.measures[: seen.best] == pytest.approx(expected)
    assert seen.scores[0] == pytest.approx(np.array([1, -1]) * (len(expected) - 2.5))


@pytest.mark.parametrize(("tol", "run"), [(0.1, 6), (0.3, 4)])
def test_a_fall_below_the_tolerance_does_not_count(tol, run):
    # The errors are 0.6, 0.6 and then 0.4 for good: a fall of 0.2 at the third round.
    watched = fold([0, 1], [0.6, 0.4])
    seen = boost_watched([watched], 20, Watch(share_of_errors, 3, tol))
    assert len(watched.method.seen) == run
    assert seen.best == 3


def test_folds_go_in_step_and_are_measured_together():
    folds = [fold([0, 0], [1.0, 3.0]), fold([1], [4.0], start=-1.5)]
    seen = boost_watched(folds, 3, Watch(share_of_errors, 5), first=7)
    assert [f.method.seen for f in folds] == [[7, 8, 9]] * 2
    # Rounds 1 and 2: class 0 is wrong; the other row turns wrong at the second.
    assert seen.measures == pytest.approx((0.5, 1.0, 0.5))
    assert seen.best == 1
    assert seen.status is Status.ROUNDS
    assert seen.scores[:, 0].tolist() == [-1.5, -1.5, -0.5]


@pytest.mark.parametrize(
    ("risks", "status"), [([1.0, None], Status.EXHAUSTED), ([1.0, 0.0], Status.SEPARATED)]
)
def test_the_end_is_named(risks, status):
    notes = []
    seen = boost_watched(
        [fold([0, 1], [1.0, 1.0], risks)],
        9,
        Watch(share_of_errors, 9),
        progress=lambda *done: notes.append(done),
    )
    assert seen.status is status
    assert notes == [(1 / 9, "held-out 0.5000")]


def test_no_round_at_all_leaves_the_start():
    seen = boost_watched([fold([0, 1], [1.0, 1.0], [None])], 9, Watch(share_of_errors, 9))
    assert seen.best == 0
    assert seen.scores[:, 0].tolist() == [-2.5, -2.5]


def test_the_calibrated_loss_comes_to_that_of_the_best_temperature():
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=500)
    S = 3.0 * (2 * np.eye(4)[y] + rng.normal(size=(500, 4)))
    S -= S.mean(axis=1, keepdims=True)
    weights = rng.exponential(size=500)
    rows = Rows(np.zeros((500, 0)), y, 4, weights)
    measure = CalibratedLogLoss()
    found = [measure(S, rows) for _ in range(8)][-1]
    betas = np.geomspace(0.05, 5, 400)
    least = min(log_loss(beta * S, y, weights) for beta in betas)
    assert found == pytest.approx(least, rel=1e-4)
    assert found < log_loss(S, y, weights)


def test_measures_far_behind_a_rival_after_as_many_rounds_end_the_rounds():
    watch = Watch(share_of_errors, patience=3)
    rival = [0.9, 0.5, 0.4, 0.1]
    assert not watch.far_behind([0.9, 0.8], rival)  # Too early to tell.
    assert watch.far_behind([0.9, 0.8, 0.61], rival)
    assert not watch.far_behind([0.9, 0.8, 0.6], rival)
    assert watch.far_behind([0.9, 0.8, 0.6, 0.3], rival)
    assert watch.far_behind([0.9, 0.8, 0.6, 0.3, 0.2], rival)
    assert not watch.far_behind([0.9, 0.8, 0.6, 0.3, 0.15], rival)
    assert not watch.far_behind([9.0] * 9, [])
