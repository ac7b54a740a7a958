import numpy as np

from simplexcoding.experiments.protocol import Protocol


def test_lambdas_lie_between_the_extreme_eigenvalues_of_the_covariance():
    X = np.random.default_rng(0).normal(size=(50, 4)) * [1, 2, 3, 40]
    lambdas = Protocol().lambdas(X)
    eigenvalues = np.linalg.svd(X, compute_uv=False) ** 2 / 50
    assert len(lambdas) == 100
    np.testing.assert_allclose(lambdas[[0, -1]], eigenvalues[[0, -1]])
    np.testing.assert_allclose(np.diff(np.log(lambdas), 2), 0, atol=1e-9)


def test_a_feature_that_repeats_another_does_not_stretch_the_grid_to_rounding_errors():
    X = np.random.default_rng(0).normal(size=(50, 3))
    lambdas = Protocol().lambdas(X[:, [0, 1, 2, 2]])
    assert lambdas[-1] > 1e-3 * lambdas[0]


def test_costs_span_five_decades():
    np.testing.assert_allclose(np.diff(np.log10(Protocol().costs())), 0.5)
