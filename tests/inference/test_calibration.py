import numpy as np
import pytest

from simplexcoding import SimplexCode
from simplexcoding.inference.calibration import (
    KINDS,
    Temperature,
    Vector,
    expected_calibration_error,
    fit_calibration,
    regression_probabilities,
)
from simplexcoding.inference.vector_scaling import Trail

rng = np.random.default_rng(0)
y = rng.integers(4, size=500)
S = np.eye(4)[y] + 0.7 * rng.normal(size=(500, 4)) + np.array([0.4, 0, 0, -0.4])
S -= S.mean(axis=1, keepdims=True)


def log_loss(P):
    return -np.mean(np.log(np.maximum(P[np.arange(500), y], 1e-12)))


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_are_probabilities(kind):
    P = fit_calibration(kind, S, y).probabilities(S)
    assert P.min() >= 0 and np.allclose(P.sum(axis=1), 1)
    decisions = fit_calibration(kind, S, y).decisions(S)
    assert np.allclose(decisions.sum(axis=1), 0)
    assert np.array_equal(P.argmax(axis=1), decisions.argmax(axis=1))


def test_only_vector_moves_decisions():
    for kind in ("temperature", "none"):
        assert np.array_equal(fit_calibration(kind, S, y).decisions(S), S)
    moved = fit_calibration("vector", S, y).decisions(S).argmax(axis=1)
    assert np.mean(moved == y) > np.mean(S.argmax(axis=1) == y)


def test_each_kind_fits_better_than_the_plainer_one():
    losses = [log_loss(fit_calibration(kind, S, y).probabilities(S)) for kind in KINDS]
    assert losses[1] < losses[0] < losses[2]


def test_a_trail_changes_nothing_but_the_way():
    trail = Trail()
    first = fit_calibration("vector", S, y, trail=trail)
    again = fit_calibration("vector", S, y, trail=trail)
    assert np.allclose(first.scales, again.scales, atol=0.05)
    # From elsewhere the end is as good, to the tolerance of the objective, though not the same.
    fit_calibration("vector", 1.5 * S[:50], y[:50], trail=trail)
    back = fit_calibration("vector", S, y, trail=trail)
    assert log_loss(back.probabilities(S)) <= log_loss(first.probabilities(S)) + 0.5 / len(y)
    assert isinstance(again, Vector)
    assert isinstance(fit_calibration("temperature", S, y), Temperature)


def test_calibration_error_is_nought_for_honest_probabilities_and_large_for_boasts():
    P = np.tile([0.7, 0.3], (1000, 1))
    truth = (np.arange(1000) >= 700).astype(int)
    assert expected_calibration_error(P, truth) == pytest.approx(0, abs=1e-12)
    boast = np.tile([0.99, 0.01], (1000, 1))
    assert expected_calibration_error(boast, truth) == pytest.approx(0.29)


def test_misuse_is_named():
    with pytest.raises(ValueError, match=r"calibration must be one of temperature.*'sigmoid'"):
        fit_calibration("sigmoid", S, y)


def test_mixtures_of_vertices_give_their_weights_back():
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=20)
    code = SimplexCode(5)
    assert np.allclose(regression_probabilities(code.scores(p @ code.codewords)), p)


def test_points_outside_the_hull_keep_their_argmax():
    S = 5 * np.random.default_rng(0).normal(size=(100, 4))
    S -= S.mean(axis=1, keepdims=True)
    P = regression_probabilities(S)
    assert np.allclose(P.sum(axis=1), 1) and P.min() >= 0
    assert np.array_equal(P.argmax(axis=1), S.argmax(axis=1))
