import numpy as np
import pytest
from scipy.optimize import minimize

from simplexcoding import SimplexCode
from simplexcoding.inference.calibration import (
    KINDS,
    Pooled,
    Temperature,
    Vector,
    expected_calibration_error,
    fit_calibration,
    regression_probabilities,
)
from simplexcoding.inference.vector_scaling import WarmFits

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
    for kind in ("temperature", "pooled", "none"):
        assert np.array_equal(fit_calibration(kind, S, y).decisions(S), S)
    moved = fit_calibration("vector", S, y).decisions(S).argmax(axis=1)
    assert np.mean(moved == y) > np.mean(S.argmax(axis=1) == y)


def test_each_kind_fits_better_than_the_plainer_one():
    losses = {kind: log_loss(fit_calibration(kind, S, y).probabilities(S)) for kind in KINDS}
    assert losses["vector"] < losses["pooled"] < losses["temperature"] < losses["none"]


# A word of older scipy on the way of its minimiser.
@pytest.mark.filterwarnings("ignore:Values in x were outside bounds:RuntimeWarning")
@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_pooled_probabilities_lose_least_of_those_that_keep_the_answer(n_classes):
    """By a solver that knows no closed form, of any scales and offsets."""
    draw = np.random.default_rng(n_classes)
    U = draw.normal(size=(60, n_classes))
    a, b = draw.uniform(0.3, 3.0, n_classes), np.linspace(-1, 1, n_classes)
    before = Vector(a, b).probabilities(U)
    after = Pooled(a, b).probabilities(U)
    top = U.argmax(axis=1)
    kept = before.argmax(axis=1) == top
    assert 5 < kept.sum() < 55
    assert np.allclose(after[kept], before[kept], atol=1e-6)
    assert np.allclose(after.sum(axis=1), 1, atol=1e-12)
    assert np.array_equal(after.argmax(axis=1), top)

    def expected(q, p):
        return -float(p @ np.log(np.maximum(q, 1e-12)))

    for p, found, k in zip(before[~kept], after[~kept], top[~kept], strict=True):
        others = [j for j in range(n_classes) if j != k]
        solved = minimize(
            expected,
            np.full(n_classes, 1 / n_classes),
            args=(p,),
            bounds=[(1e-12, 1)] * n_classes,
            constraints=[
                {"type": "eq", "fun": lambda q: q.sum() - 1},
                *({"type": "ineq", "fun": lambda q, j=j, k=k: q[k] - q[j]} for j in others),
            ],
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert np.allclose(found, solved.x, atol=2e-4)
        assert expected(found, p) <= expected(solved.x, p) + 1e-6


def test_single_precision_keeps_the_answer_too():
    U = np.random.default_rng(0).normal(size=(5000, 3)).astype(np.float32)
    P = Pooled(np.array([1.0, 2.0, 0.5]), np.array([3.0, 0.0, -3.0])).probabilities(U)
    assert P.dtype == np.float32
    assert np.array_equal(P.argmax(axis=1), U.argmax(axis=1))
    assert np.allclose(P.sum(axis=1), 1, atol=1e-6)


def test_a_trail_changes_nothing_but_the_way():
    trail = WarmFits()
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
