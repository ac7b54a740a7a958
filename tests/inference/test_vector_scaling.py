import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp

from simplexcoding.inference import temperature, vector_scaling
from simplexcoding.inference.temperature import fit_temperature
from simplexcoding.inference.vector_scaling import fit_vector_scaling

rng = np.random.default_rng(0)
S = rng.normal(size=(400, 4))
TRUE_SCALES, TRUE_OFFSETS = np.array([1.0, 2.0, 3.0, 1.5]), np.array([0.5, -0.5, 0.0, 1.0])
logits = S * TRUE_SCALES + TRUE_OFFSETS
y = np.array([rng.choice(4, p=np.exp(row - logsumexp(row))) for row in logits])


def objective(theta, beta, w):
    a, b = theta[:4], theta[4:]
    L = S * a + b
    fit = w @ (logsumexp(L, axis=1) - L[np.arange(400), y])
    return fit + np.sum((a / beta - 1) ** 2) / 2 + np.sum(b**2) / 2


@pytest.mark.parametrize("weighted", [False, True])
def test_it_minimises_what_it_says(weighted, monkeypatch):
    monkeypatch.setattr(vector_scaling, "_LIKELIHOOD_TOLERANCE", 1e-12)
    w = rng.uniform(0.5, 2, 400) if weighted else None
    beta = fit_temperature(S, y, w)
    counts = np.ones(400) if w is None else w
    best = minimize(objective, np.r_[np.full(4, beta), np.zeros(4)], (beta, counts), tol=1e-10)
    scales, offsets = fit_vector_scaling(S, y, w)
    assert np.allclose(np.r_[scales, offsets], best.x, atol=1e-3)


def test_the_hessian_is_the_derivative_of_the_gradient():
    w = rng.uniform(0.5, 2, 400)
    theta, v = np.r_[1 + rng.normal(size=4), rng.normal(size=4)], rng.normal(size=8)

    def gradient(theta):
        # Of the likelihood alone, less the part that the labels give; the prior adds theta.
        return vector_scaling._evaluate(theta, S, y, w)[1].expected + theta

    h = 1e-5
    slope = (gradient(theta + h * v) - gradient(theta - h * v)) / (2 * h)
    hessian = vector_scaling._evaluate(theta, S, y, w)[1]
    assert np.allclose(hessian.apply(v), slope, rtol=1e-6)


def test_conjugate_gradients_solve(monkeypatch):
    monkeypatch.setattr(vector_scaling, "_LIKELIHOOD_TOLERANCE", 0.0)
    monkeypatch.setattr(vector_scaling, "_RESIDUAL_TOLERANCE", 1e-8)
    hessian = vector_scaling._evaluate(np.r_[np.ones(4), np.zeros(4)], S, y, np.ones(400))[1]
    g = rng.normal(size=8)
    dense = np.column_stack([hessian.apply(row) for row in np.eye(8)])
    assert np.allclose(hessian.solve(g), np.linalg.solve(dense, g), rtol=1e-6)


def test_a_trail_ends_where_a_fresh_fit_does(monkeypatch):
    monkeypatch.setattr(vector_scaling, "_LIKELIHOOD_TOLERANCE", 1e-12)
    trail = vector_scaling.WarmFits()
    fit_vector_scaling(0.7 * S, y, trail=trail)
    along, fresh = fit_vector_scaling(S, y, trail=trail), fit_vector_scaling(S, y)
    assert np.allclose(along, fresh, atol=1e-4)


def test_single_precision_loses_next_to_nothing(monkeypatch):
    double = np.r_[fit_vector_scaling(S, y)]
    monkeypatch.setattr(vector_scaling, "_LARGEST_IN_DOUBLE", 0)
    assert np.allclose(np.r_[fit_vector_scaling(S, y)], double, atol=1e-3)


def test_the_usual_tolerance_loses_next_to_nothing():
    beta = fit_temperature(S, y)
    theta = np.r_[fit_vector_scaling(S, y)]
    best = minimize(objective, theta, (beta, np.ones(400)), tol=1e-10)
    assert objective(theta, beta, np.ones(400)) <= best.fun + 0.01


def test_some_rows_give_the_start_of_many(monkeypatch):
    whole = np.r_[fit_vector_scaling(S, y)]
    monkeypatch.setattr(temperature, "_SAMPLE_ROWS", 100)
    assert np.allclose(np.r_[fit_vector_scaling(S, y)], whole, atol=0.1)


def test_a_class_with_one_row_is_held_by_the_prior():
    few = np.array([0] * 30 + [1] * 30 + [2])
    scores = np.eye(3)[few] + 0.3 * rng.normal(size=(61, 3))
    scales, offsets = fit_vector_scaling(scores, few)
    assert np.all(np.isfinite(scales)) and np.abs(offsets).max() < 5


def test_weights_of_any_unit_give_one_answer_and_counts_are_repeats():
    w = 1.0 + y
    again = np.r_[fit_vector_scaling(S[np.repeat(np.arange(400), y + 1)], np.repeat(y, y + 1))]
    assert np.allclose(np.r_[fit_vector_scaling(S, y, w)], again, atol=1e-3)
    one = np.r_[fit_vector_scaling(S, y, np.full(400, 1 / 400))]
    assert np.allclose(one, np.r_[fit_vector_scaling(S, y)], atol=1e-3)


def test_separated_rows_leave_the_scales_near_the_bounded_temperature():
    labels = np.arange(60) % 3
    scores = np.eye(3)[labels]
    scales, offsets = fit_vector_scaling(scores, labels)
    assert np.all(scales < 1.5 * fit_temperature(scores, labels))
    assert np.allclose(offsets, 0, atol=0.1)


@pytest.mark.parametrize("weighted", [False, True])
def test_left_out_logits_are_near_those_of_refits(weighted, monkeypatch):
    monkeypatch.setattr(vector_scaling, "_LIKELIHOOD_TOLERANCE", 1e-12)
    few, labels = S[:80], y[:80]
    w = rng.integers(1, 4, 80).astype(float) if weighted else np.ones(80)
    beta = fit_temperature(few, labels, w)
    # The temperature that the prior is about stays; only the scales and offsets are fitted anew.
    monkeypatch.setattr(vector_scaling, "fit_temperature", lambda *given: beta)
    scales, offsets = fit_vector_scaling(few, labels, w)
    monkeypatch.setattr(vector_scaling, "row_count", lambda n, weights: weights.sum())
    refits = np.empty_like(few)
    for i in range(80):
        others = np.arange(80) != i
        a, b = fit_vector_scaling(few[others], labels[others], w[others])
        refits[i] = few[i] * a + b
    found = vector_scaling.left_out_logits(few, labels, w)
    own = few * scales + offsets
    # Classes are taken one by one, which costs most where there are few of them.
    assert np.linalg.norm(found - refits) < 0.35 * np.linalg.norm(own - refits)
