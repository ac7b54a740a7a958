import numpy as np
import pytest

from simplexcoding.losses.log_odds import LogOddsLoss, log_odds


def test_differences_are_log_ratios():
    u = log_odds([[0.5, 0.25, 0.25]])
    assert np.isclose(u[0, 0] - u[0, 1], np.log(2))
    assert np.isclose(u.sum(), 0)


def test_a_zero_probability_counts_as_the_smallest_float():
    half = np.log(np.finfo(float).tiny) / 2
    assert np.allclose(log_odds([[1.0, 0.0]]), [[-half, half]])


def test_probabilities_are_those_whose_log_odds_the_scores_are():
    P = np.random.default_rng(0).dirichlet(np.ones(4), 5)
    assert LogOddsLoss.class_probabilities(None, log_odds(P)) == pytest.approx(P)
