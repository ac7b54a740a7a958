import numpy as np
import pytest

from simplexcoding.solvers.splitting.pace import Pace


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
    looks = run(lambda k: 0.97**k, Pace(1e-3))
    needed = np.log(1e-3) / np.log(0.97)
    assert len(looks) < 12
    assert needed <= looks[-1] < needed + 10


def test_iterations_left_are_those_of_the_fall():
    pace = Pace(1e-3)
    pace.note(10, 0.97**10)
    pace.note(40, 0.97**40)
    assert pace.left == pytest.approx(np.log(1e-3) / np.log(0.97) - 40)


def test_a_gap_that_does_not_fall_has_no_end_and_stalls():
    pace = Pace(1e-3)
    for _ in range(5):
        pace.note(pace.check, 0.5)
    assert pace.left == np.inf and pace.stalled == 4


def test_a_change_of_operator_starts_the_count_again():
    pace = Pace(1e-3)
    for _ in range(4):
        pace.note(pace.check, 0.5)
    pace.restart(100, 0.5)
    assert pace.stalled == 0 and pace.check > 100
    pace.note(120, 0.05)
    assert pace.left == pytest.approx(20 * np.log(50) / np.log(10))
