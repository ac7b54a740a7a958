from dataclasses import dataclass, field

import numpy as np
import pytest

from reference import losses as slow
from reference.boosting import Shift, weight_and_direction
from simplexcoding.losses import get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.rounds import (
    BoostingProblem,
    Round,
    State,
    boost,
)
from simplexcoding.solvers.solution import Status


def problem(name="exponential", T=4, n=30, seed=0):
    rng = np.random.default_rng(seed)
    weights = rng.exponential(size=n)
    return BoostingProblem(get_loss(name), rng.integers(T, size=n), T, weights / weights.sum())


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
    start, done = np.zeros((30, 4)), []
    method = Script([3.0, 2.0])
    rounds, status = boost(method, 2, S=start, first=5, progress=done.append)
    assert method.seen == [5, 6]
    assert status is Status.ROUNDS
    assert [r.risk for r in rounds] == [3.0, 2.0]
    assert not start.any()
    assert done == [0.5, 1.0]


@pytest.mark.parametrize(
    ("risks", "status", "kept"),
    [([2.0, None], Status.EXHAUSTED, 1), ([2.0, 1e-200, 0.0], Status.SEPARATED, 2)],
)
def test_the_end_is_named(risks, status, kept):
    rounds, found = boost(Script(risks), 3)
    assert found is status
    assert len(rounds) == kept


def test_a_problem_of_rows_has_weights_that_sum_to_one():
    rows = Rows(np.zeros((3, 1)), np.array([0, 1, 1]), 2, np.array([1.0, 2.0, 5.0]))
    here = BoostingProblem.of(get_loss("logistic"), rows)
    assert here.weights.tolist() == [1 / 8, 2 / 8, 5 / 8]
    assert here.n_classes == 2
