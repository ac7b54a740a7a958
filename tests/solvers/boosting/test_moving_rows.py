"""Steps along coordinates against the loss at the scores they lead to."""

import numpy as np
import pytest

from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.solvers.boosting.moving_rows import Candidate, MovingRows
from simplexcoding.solvers.boosting.rounds import BoostingProblem


def setting(name, T, n=50):
    rng = np.random.default_rng(T)
    weights = rng.exponential(size=n)
    problem = BoostingProblem(get_loss(name), rng.integers(T, size=n), T, weights / weights.sum())
    return problem, rng.normal(size=(n, T - 1)), rng


def candidate(j, rng, n=50):
    splits = GrownTree.of_stump(0, 0.0, 1.0, True, rng.integers(2, size=n).astype(bool))
    return Candidate(j, splits, rng.normal(size=2))


@pytest.mark.parametrize("T", [2, 3, 6])
@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_the_risk_along_a_coordinate_is_that_of_the_loss(name, T):
    problem, F, rng = setting(name, T)
    code = problem.code
    rows = MovingRows.at(code.scores(F), problem)
    assert rows.risk == pytest.approx(problem.risk(code.scores(F)), rel=1e-12)
    # Coordinates one after another: each starts where the last one ended.
    for j in range(T - 1):
        weak = candidate(j, rng)
        curve = rows.along(weak)
        for a in (0.0, 0.5, 2.0):
            there = F.copy()
            there[:, j] += a * weak.values[weak.splits.leaf]
            assert curve.value(a) == pytest.approx(problem.risk(code.scores(there)), rel=1e-11)
        difference = (curve.value(1 + 1e-6) - curve.value(1 - 1e-6)) / 2e-6
        assert curve.slope(1.0) == pytest.approx(difference, rel=1e-6, abs=1e-7)
        rows.move(weak, 0.5)
        F[:, j] += 0.5 * weak.values[weak.splits.leaf]
        assert rows.risk == pytest.approx(problem.risk(code.scores(F)), rel=1e-11)


@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_the_step_is_least_among_its_neighbours(name):
    problem, F, rng = setting(name, 4)
    rows = MovingRows.at(problem.code.scores(F), problem)
    for j in (0, 1, 2):
        weak = candidate(j, rng)
        up, down = weak, Candidate(j, weak.splits, -weak.values)
        if rows.along(up).slope(0.0) < 0:
            up, down = down, up
        curve = rows.along(down)
        step = curve.step()
        assert step > 0
        assert curve.value(step) <= min(curve.value(0.99 * step), curve.value(1.01 * step))
        assert rows.along(up).step() == 0.0


def test_a_candidate_times_its_step_is_a_tree_on_its_coordinate():
    weak = candidate(2, np.random.default_rng(0))
    tree = weak.tree(3.0)
    assert tree.coordinate == 2
    assert np.array_equal(tree.values[:, 0], 3.0 * weak.values)


def test_far_away_scores_stay_finite():
    problem, F, rng = setting("exponential", 3)
    rows = MovingRows.at(problem.code.scores(1e4 * F), problem)
    assert np.isfinite(rows.risk)
    assert np.isfinite(rows.along(candidate(0, rng)).step())
