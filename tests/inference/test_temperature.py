import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from simplexcoding.inference.temperature import fit_temperature, log_loss

rng = np.random.default_rng(0)
S = rng.normal(size=(200, 4))
y = np.array([rng.choice(4, p=np.exp(2 * s) / np.exp(2 * s).sum()) for s in S])


@pytest.mark.parametrize("weights", [None, rng.uniform(0, 2, 200)], ids=["", "weighted"])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_it_minimises_the_log_loss(weights, scale):
    beta = fit_temperature(scale * S, y, weights)
    best = minimize_scalar(
        lambda b: log_loss(b * S, y, weights), bounds=(0.01, 20), method="bounded"
    )
    assert scale * beta == pytest.approx(best.x, rel=1e-4)


def test_rows_that_are_all_right_give_a_finite_temperature():
    beta = fit_temperature(np.eye(3), np.arange(3))
    assert 10 < beta <= 1e6


def test_rows_that_are_all_wrong_give_the_uniform_distribution():
    assert fit_temperature(np.eye(2), np.array([1, 0])) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_are_sampled_first_and_end_at_the_same_root(weighted):
    draw = np.random.default_rng(1)
    many = draw.normal(size=(150_000, 4))
    labels = (many + draw.gumbel(size=many.shape) / 3).argmax(axis=1)
    weights = draw.integers(0, 3, len(labels)).astype(float) if weighted else None
    beta = fit_temperature(many, labels, weights)
    best = minimize_scalar(
        lambda b: log_loss(b * many, labels, weights), bounds=(2, 4), method="bounded"
    )
    # A hundredth is what the rows themselves leave open.
    assert beta == pytest.approx(best.x, rel=5e-4)


def test_a_sample_without_weight_is_no_start():
    labels = np.arange(150_000) % 4
    weights = np.zeros(len(labels))
    weights[0] = 1
    assert np.isfinite(fit_temperature(np.ones((len(labels), 4)), labels, weights))
