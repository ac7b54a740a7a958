import numpy as np

from simplexcoding.design.resolvent import resolvent_factors


def test_a_path_needs_far_fewer_products_than_alphas():
    s = np.logspace(-6, 0, 400)
    alphas = np.geomspace(1, 1e-8, 100)
    left, right = resolvent_factors(s, alphas)
    error = np.abs(left @ right - 1 / (s[:, None] + alphas)) * s[:, None]
    assert error.max() < 1e-9
    assert right.shape[0] <= 40


def test_zero_eigenvalues_are_harmless():
    left, right = resolvent_factors(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.1]))
    assert np.all(np.isfinite(left @ right))
    assert np.allclose((left @ right)[2], [1 / 2, 1 / 1.1])
