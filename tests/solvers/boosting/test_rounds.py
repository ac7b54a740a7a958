from dataclasses import dataclass, field

import numpy as np
import pytest

from reference import losses as slow
from reference.boosting import weight_and_direction
from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting.rounds import (
    BoostingProblem,
    HeldOut,
    Round,
    State,
    Stop,
    boost,
)


def problem(name="exponential", T=4, n=30, seed=0):
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=n)
    return BoostingProblem(get_loss(name), rng.integers(T, size=n), T, weights / weights.sum())


@dataclass(frozen=True)
class Shift:
    """Adds a constant to every row, whatever X is."""

    amount: float

    def add(self, X, F):
        F += self.amount


@dataclass
class Script:
    """Rounds of given risks; None ends them."""

    risks: list
    seen: list = field(default_factory=list)

    def start(self, S):
        return State(np.zeros((30, 4)) if S is None else S.copy())

    def round(self, state, number):
        self.seen.append(number)
        risk = self.risks[len(self.seen) - 1]
        if risk is None:
            return None
        state.S += 1.0
        return Round((Shift(1.0),), risk)


@pytest.mark.parametrize("T", [2, 3, 6])
@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_descent_is_the_published_weight_times_direction(name, T):
    here = problem(name, T)
    code = here.code
    F = np.random.default_rng(1).normal(size=(len(here.y), T - 1))
    descent = here.descent(code.scores(F))
    own = descent[np.arange(len(F)), here.y]
    for i, (f, y) in enumerate(zip(F, here.y, strict=True)):
        w, d = weight_and_direction(name, f, y, code.codewords)
        assert 2 * own[i] == pytest.approx(here.weights[i] * w, rel=1e-10)
        assert np.allclose(code.pull_back(descent[[i]])[0], here.weights[i] * w * d / 2)


@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_risk_is_the_weighted_mean_of_the_loss(name):
    here = problem(name)
    S = np.random.default_rng(2).normal(size=(30, 4))
    S -= S.mean(axis=1, keepdims=True)
    looped = sum(
        w * slow.value(name, u, y) for w, u, y in zip(here.weights, S, here.y, strict=True)
    )
    assert here.risk(S) == pytest.approx(looped, rel=1e-12)


def test_rounds_are_numbered_on_and_the_start_is_left_alone():
    here, start, done = problem(), np.zeros((30, 4)), []
    method = Script([3.0, 2.0])
    solution = boost(here, method, 2, S=start, first=5, progress=done.append)
    assert method.seen == [5, 6]
    assert solution.status is Stop.ROUNDS
    assert [r.risk for r in solution.rounds] == [3.0, 2.0]
    assert not start.any()
    assert done == [0.5, 1.0]


@pytest.mark.parametrize(
    ("risks", "status", "kept"),
    [([2.0, None], Stop.EXHAUSTED, 1), ([2.0, 1e-200, 0.0], Stop.SEPARATED, 2)],
)
def test_the_end_is_named(risks, status, kept):
    solution = boost(problem(), Script(risks), 3)
    assert solution.status is status
    assert len(solution.rounds) == kept


def test_held_out_rows_stop_the_rounds_at_their_least_error():
    # Every round adds one to f, which starts at -2.5, and at T = 2 f > 0 answers class 0:
    # rows of class 0 are wrong for two rounds, the row of class 1 from then on.
    here = BoostingProblem(get_loss("exponential"), np.array([0, 1]), 2, np.full(2, 0.5))
    watch = BoostingProblem(
        get_loss("exponential"), np.array([0, 0, 1]), 2, np.array([0.4, 0.4, 0.2])
    )
    for patience in (1, 3):
        start = np.full((3, 1), -2.5)
        held_out = HeldOut(np.zeros((3, 1)), watch, start, patience=patience, tol=0.0)
        solution = boost(here, Script([1.0] * 20), 20, held_out=held_out)
        assert solution.status is Stop.HELD_OUT
        expected = [0.8] if patience == 1 else [0.8, 0.8, 0.2]
        assert solution.held_out_errors == pytest.approx(expected)
        assert len(solution.rounds) == len(expected)


@pytest.mark.parametrize(("tol", "run"), [(0.1, 6), (0.3, 4)])
def test_a_fall_below_the_tolerance_does_not_count(tol, run):
    # The errors are 0.6, 0.6 and then 0.4 for good: a fall of 0.2 at the third round.
    here = BoostingProblem(get_loss("exponential"), np.array([0, 1]), 2, np.full(2, 0.5))
    watch = BoostingProblem(get_loss("exponential"), np.array([0, 1]), 2, np.array([0.6, 0.4]))
    held_out = HeldOut(np.zeros((2, 1)), watch, np.full((2, 1), -2.5), patience=3, tol=tol)
    method = Script([1.0] * 20)
    solution = boost(here, method, 20, held_out=held_out)
    assert len(method.seen) == run
    assert len(solution.rounds) == 3
