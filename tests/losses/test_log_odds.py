import numpy as np

from simplexcoding.losses.log_odds import log_odds


def test_differences_are_log_ratios():
    u = log_odds([[0.5, 0.25, 0.25]])
    assert np.isclose(u[0, 0] - u[0, 1], np.log(2))
    assert np.isclose(u.sum(), 0)


def test_a_zero_probability_gives_a_finite_score():
    assert np.all(np.isfinite(log_odds([[1.0, 0.0]])))
