import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, get_loss
from simplexcoding.solvers.stochastic.row_gradients import CODES, row_gradient


def loss_of(name):
    return get_loss(name, **({"hull": False} if name == "half_space" else {}))


def test_every_loss_of_the_catalogue_has_a_compiled_row():
    assert CODES.keys() == CATALOGUE.keys()


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("T", [2, 3, 7])
def test_compiled_rows_are_the_losses(name, T):
    rng = np.random.default_rng([T, CODES[name]])
    S = rng.normal(size=(300, T)) * rng.choice([0.05, 1.0, 5.0, 300.0], size=(300, 1))
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(T, size=300)
    loss = loss_of(name)
    # The kinks themselves: both must pick the same subgradient at u = G_y and at zero.
    S[:T] = (T * np.eye(T) - 1) / (T - 1)
    S[T] = 0.0
    y[:T] = np.arange(T)
    G = np.empty_like(S)
    values = [row_gradient(CODES[name], u, k, g) for u, k, g in zip(S, y, G, strict=True)]
    assert np.allclose(values, loss.value(S, y), rtol=1e-12, atol=1e-14)
    assert np.allclose(G, loss.subgradient(S, y), rtol=1e-12, atol=1e-14)


def test_huge_scores_stay_finite():
    u = np.array([1e4, -1e4, 0.0])
    g = np.empty(3)
    for name, code in CODES.items():
        value = row_gradient(code, u, 1, g)
        assert np.isfinite(value) and np.isfinite(g).all(), name
        assert abs(g.sum()) <= 1e-12 * abs(g).max()
