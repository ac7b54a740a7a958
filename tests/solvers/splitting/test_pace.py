import numpy as np
import pytest

from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem, State
from simplexcoding.solvers.splitting.pace import Pace, balanced_penalty


def run(gap, pace, most=10_000):
    """Iterations at which a run with such gaps looks at them, to its tolerance."""
    looks = []
    while pace.check <= most:
        looks.append(pace.check)
        if gap(pace.check) <= pace.tol:
            return looks
        pace.note(pace.check, gap(pace.check))
    return looks


def test_a_steady_fall_is_seen_in_a_few_looks_and_not_overrun():
    looks = run(lambda k: 0.97**k, Pace(1e-3, price=50.0))
    needed = np.log(1e-3) / np.log(0.97)
    assert len(looks) < 12
    assert needed <= looks[-1] < needed + 10


def test_iterations_left_are_those_of_the_fall():
    pace = Pace(1e-3, price=50.0)
    pace.note(10, 0.97**10)
    pace.note(40, 0.97**40)
    assert pace.left == pytest.approx(np.log(1e-3) / np.log(0.97) - 40)


def test_a_gap_that_does_not_fall_has_no_end_and_stalls():
    pace = Pace(1e-3, price=50.0)
    for _ in range(5):
        pace.note(pace.check, 0.5)
    assert pace.left == np.inf and pace.stalled == 4


def test_a_change_of_operator_starts_the_count_again():
    pace = Pace(1e-3, price=50.0)
    for _ in range(4):
        pace.note(pace.check, 0.5)
    pace.restart(100, 0.5)
    assert pace.stalled == 0 and pace.check > 100
    pace.note(120, 0.05)
    assert pace.left == pytest.approx(20 * np.log(50) / np.log(10))


def test_a_balanced_penalty_has_the_unit_of_multipliers_over_scores():
    Z, D = np.random.default_rng(0).normal(size=(2, 5, 3))
    problem = MarginProblem(get_loss("cone"), np.zeros(5, np.intp), np.ones(5), 3)
    balanced = balanced_penalty(problem, State(Z, D))
    assert balanced_penalty(problem, State(Z / 10, 7 * D)) == pytest.approx(70 * balanced)
    assert balanced_penalty(problem, State(0 * Z, D)) > 0
    smooth = MarginProblem(get_loss("logistic"), problem.y, problem.box, 3)
    hull = MarginProblem(get_loss("half_space"), problem.y, problem.box, 3)
    assert balanced_penalty(smooth, State(Z, D)) < balanced < balanced_penalty(hull, State(Z, D))


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_a_penalty_moves_up_or_down_where_that_pays_and_not_for_ever(factor):
    pace = Pace(1e-3, price=50.0)
    pace.note(100, 0.5)
    pace.left = 500.0
    assert pace.penalty(100, 1.0, factor) == factor
    assert pace.penalty(100, 1.0, 1.5) == 1.0  # Too near.
    assert pace.penalty(5, 1.0, factor) == 1.0  # Too early for an expensive operator.
    pace.left = 20.0
    assert pace.penalty(100, 1.0, factor) == 1.0  # Too near the end.
    pace.left = np.inf
    moved = [pace.penalty(100, 1.0, factor) for _ in range(20)]
    assert moved[0] == factor and moved[-1] == 1.0


def test_a_gap_of_nothing_is_no_division():
    pace = Pace(1e-3, price=50.0)
    pace.note(10, 0.0)
    assert pace.left == 0.0
    pace.note(20, 1e-9)
    assert pace.left == np.inf


def test_of_infinitely_many_iterations_a_factor_of_one_saves_none():
    pace = Pace(1e-3, price=50.0)
    pace.left = np.inf
    assert pace.penalty(100, 2.0, 2.0) == 2.0  # A warning is an error.
