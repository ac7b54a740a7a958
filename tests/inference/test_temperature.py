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
