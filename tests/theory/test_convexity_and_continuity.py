"""Theorem 1, first half: the expected loss is a convex and continuous function of f."""

import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, get_loss
from simplexcoding.relaxation import FiniteDistribution

LOSSES = [get_loss(name) for name in CATALOGUE] + [get_loss("half_space", hull=False)]
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
every_size = pytest.mark.parametrize("T", [2, 3, 6])


def draw(loss, T, rng, n_points=20):
    """A distribution and two functions on its points, in the hull where asked."""
    P = rng.dirichlet(np.full(T, rng.choice([0.2, 1.0, 5.0])), n_points)
    rho = FiniteDistribution(P, rng.dirichlet(np.ones(n_points)))
    if getattr(loss, "hull", False):
        pair = (T * rng.dirichlet(np.full(T, 0.5), (2, n_points)) - 1) / (T - 1)
    else:
        pair = rng.normal(size=(2, n_points, T)) * rng.choice([0.1, 1, 3])
    return rho, *(pair - pair.mean(axis=2, keepdims=True))


@every_loss
@every_size
def test_the_expected_loss_is_convex(loss, T):
    rng = np.random.default_rng(T)
    for _ in range(300):
        rho, f, g = draw(loss, T, rng)
        t = rng.random()
        chord = t * rho.expected_loss(loss, f) + (1 - t) * rho.expected_loss(loss, g)
        assert rho.expected_loss(loss, t * f + (1 - t) * g) <= chord + 1e-10 * (1 + chord)


def slope(loss, f, g, T):
    """Largest slope of V between two points, (n,): |V(f) - V(g)| <= slope ||u_f - u_g||."""
    code = np.sqrt((T - 1) / T)  # ||c - f|| = code ||u_c - u||
    far = np.maximum(*(np.linalg.norm(u, axis=1) for u in (f, g)))
    if loss.name == "least_squares":
        return 2 * code**2 * (far + 1 / code)
    if loss.name == "exponential":
        # Each of T - 1 terms has the slope 1/2 ||e_y - e_k|| e^(lead/2), the lead at most 2 far.
        return (T - 1) * np.sqrt(0.5) * np.exp(far)
    return {
        "cone": np.sqrt(T - 1),
        "half_space": 1.0,
        "relative": np.sqrt((T - 1) / (2 * T)) * np.sqrt(T * (T - 1)),
        "vertex": code,
        "logistic": np.sqrt(2),
    }[loss.name]


@every_loss
@every_size
def test_the_expected_loss_is_continuous(loss, T):
    """With a modulus written down: near functions have near expected losses, at any distance."""
    rng = np.random.default_rng(T)
    for _ in range(100):
        rho, f, g = draw(loss, T, rng)
        for part in (1.0, 1e-3, 1e-6):
            near = f + part * (g - f)
            moved = np.linalg.norm(near - f, axis=1)
            modulus = float(np.asarray(rho.weights) @ (slope(loss, f, near, T) * moved))
            gap = abs(rho.expected_loss(loss, near) - rho.expected_loss(loss, f))
            assert gap <= modulus * (1 + 1e-9) + 1e-13 * (1 + rho.expected_loss(loss, f))
