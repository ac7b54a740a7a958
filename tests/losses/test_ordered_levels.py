import numpy as np
import pytest
from scipy.optimize import linprog

from simplexcoding.losses.ordered_levels import ordered_levels


def objective(u, rho, spacing):
    T = len(u)
    pairs = [(y, k) for y in range(T) for k in range(T) if y != k]
    return sum(rho[y] * max(0, spacing - (u[y] - u[k])) for y, k in pairs)


def least(rho, spacing):
    """The same minimum as a linear programme with one slack a pair."""
    T = len(rho)
    pairs = [(y, k) for y in range(T) for k in range(T) if y != k]
    cost = np.r_[np.zeros(T), [rho[y] for y, _ in pairs]]
    rows = np.zeros((len(pairs), len(cost)))
    for j, (y, k) in enumerate(pairs):
        rows[j, [y, k, T + j]] = -1, 1, -1
    bounds = [(None, None)] * T + [(0, None)] * len(pairs)
    return linprog(cost, rows, np.full(len(pairs), -spacing), bounds=bounds).fun


@pytest.mark.parametrize("T", [2, 3, 4, 6])
def test_reaches_the_minimum_of_the_linear_programme(T):
    P = np.random.default_rng(T).dirichlet(np.full(T, 0.7), size=15)
    for rho, u in zip(P, ordered_levels(P, 1.3), strict=True):
        assert objective(u, rho, 1.3) == pytest.approx(least(rho, 1.3), abs=1e-12)


def test_small_probabilities_do_not_blur_the_levels():
    u = ordered_levels(np.array([[0.7, 0.3 - 1e-6, 1e-6]]), 1.5)
    assert np.allclose(u, [[1.5, 0, -1.5]])
