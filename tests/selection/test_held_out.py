import numpy as np
import pytest

from reference.margin_problems import draw
from simplexcoding.coding import SimplexCode
from simplexcoding.design.operators import Spectral
from simplexcoding.selection.held_out import HeldOut, peaked
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

STOP = Stop(1e-3, 5000)


@pytest.mark.parametrize("loss", ["cone", "half_space", "relative"])
def test_up_to_the_first_cost_decisions_stay(loss):
    problem, K, held = draw(loss=loss)
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-8), problem, held, Stop(1e-8, 50_000))
    first = trial.first()
    trial.solve([first / 100, first])
    small, large = (trial.solutions[cost].scores for cost in (first / 100, first))
    assert np.allclose(100 * small, large, rtol=1e-4, atol=1e-6)
    if loss == "cone":
        used = np.setdiff1d(np.arange(150), held)
        wrong = np.arange(3) != problem.y[used][:, None]
        assert (large[used][wrong] >= -0.5 - 1e-6).all()  # Every margin is violated.


def test_a_path_has_peaked_after_a_decade_of_lower_or_three_of_equal_scores():
    def ended(*scores, per_decade=2):
        return peaked(np.array(scores), 900, per_decade)  # A standard error of 0.01.

    assert not ended(0.5, 0.9, 0.8)
    assert ended(0.5, 0.9, 0.885, 0.8)
    assert not ended(0.5, 0.9, 0.8, 0.885)  # Lower, but rising.
    assert not ended(0.5, 0.9, 0.8, 0.895)  # A dip on the way up.
    assert not ended(0.5, 0.9, 0.9, 0.8)
    assert not ended(*[0.9] * 6)
    assert ended(*[0.9] * 7)
    assert not ended(0.5, 0.9, 0.8, per_decade=1)  # Two values at least.
    assert ended(0.5, 0.9, 0.885, 0.8, per_decade=1)
    assert not ended(*[0.9] * 3, per_decade=1) and ended(*[0.9] * 4, per_decade=1)


def test_means_of_classes_that_decide_well_do_not_end_the_path():
    """Held-out accuracies of 416 rows of isolet: every margin is violated at the first C."""
    scores = np.array([0.800, 0.690, 0.716, 0.743])
    assert not peaked(scores, 416, 1)


def test_of_equal_scores_the_lowest_squared_error_is_best():
    problem, K, held = draw(spread=30.0)  # Every value gets every row right.
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-3), problem, held, STOP)
    trial.solve([0.001, 10.0])
    code = SimplexCode(3)
    for cost, error in zip(trial.path.C, trial.path.squared_error, strict=True):
        scores = trial.solutions[cost].scores[held]
        away = code.encode(problem.y[held]) - code.pull_back(scores) * 2 / 3
        assert error == pytest.approx(np.square(away).sum(axis=1).mean())
    assert trial.score(0.001) == trial.score(10.0) == 1.0
    assert trial.best == 10.0


def test_a_path_that_learns_its_rows_too_well_has_peaked():
    problem, K, held = draw()
    trial = HeldOut(Splitting(Spectral.of_kernel(K), 1e-3), problem, held, STOP)
    trial.solve([10.0**k for k in range(-3, 5)])
    assert trial.fit(1e4) > trial.fit(0.1)
    trial.score = {10.0**k: score for k, score in enumerate([0.9, *[0.5] * 7], -3)}.get
    assert trial.has_peaked(1)
    right = trial.solutions[1e4].scores.argmax(axis=1) == problem.y
    used = np.setdiff1d(np.arange(len(problem.y)), held)
    assert trial.fit(1e4) == right[used].mean()
    trial.fit = {1e4: 0.5, 1e-3: 0.9}.get
    assert not trial.has_peaked(1)
