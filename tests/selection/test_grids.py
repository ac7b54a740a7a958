import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_wine

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.kernels import gamma_values
from simplexcoding.rows import Rows
from simplexcoding.selection.grids import auto_grid, candidate_kernels, given_grid, grid_of

WINE, _ = load_wine(return_X_y=True)


def test_kernels_widths_and_scalings_are_combined():
    kernels = candidate_kernels("auto", "auto", "auto", WINE, None, 0)
    names = [(kernel.name, kernel.scale is not None) for kernel in kernels]
    assert len(kernels) == 10
    assert set(names) == {(k, s) for k in ("linear", "rbf", "exponential") for s in (False, True)}
    widths = [kernel.gamma for kernel in kernels if kernel.name == "rbf" and kernel.scale is None]
    (rule,) = gamma_values("rbf", "quantile", WINE)
    np.testing.assert_allclose(widths, [rule / 4, rule, 4 * rule])
    np.testing.assert_allclose(kernels[-1].scale, WINE.std(axis=0))


def test_sparse_rows_are_not_scaled():
    kernels = candidate_kernels("auto", "auto", "auto", csr_matrix(WINE), None, 0)
    assert {kernel.name for kernel in kernels} == {"linear", "rbf"}
    assert all(kernel.scale is None for kernel in kernels)


def test_a_named_kernel_and_a_given_width_are_kept():
    kernels = candidate_kernels("rbf", 0.5, "standard", WINE, None, 0)
    assert [(kernel.name, kernel.gamma) for kernel in kernels] == [("rbf", 0.5)]


def test_the_grid_falls_geometrically_from_the_largest_eigenvalue():
    grid = auto_grid(np.array([1e-10, 5.0, 100.0]), 10, 2e-16)
    assert len(grid) == 100 and grid[0] == 100 and grid[-1] == pytest.approx(1e-10)
    assert np.allclose(np.diff(np.log(grid)), np.log(grid[1] / grid[0]))


def test_it_goes_below_the_smallest_eigenvalue():
    assert auto_grid(np.array([5.0, 100.0]), 10, 2e-16)[-1] == pytest.approx(1e-6)


def test_rounding_is_no_eigenvalue():
    assert auto_grid(np.array([0.0, 1e-16, 1.0]), 10, 2e-16)[-1] == pytest.approx(1e-8)


def test_no_spread_at_all_still_gives_a_grid():
    grid = auto_grid(np.zeros(3), 10, 2e-16)
    assert len(grid) == 100 and np.all(grid > 0)


def test_given_values_fall_and_are_distinct():
    assert given_grid([1, 10, 1, 0.1]).tolist() == [10, 1, 0.1]
    assert given_grid(3).tolist() == [3]


@pytest.mark.parametrize("alphas", [0.0, -1.0, [1, np.nan], np.inf, [], [[1.0]], None])
def test_misuse_is_named(alphas):
    with pytest.raises(ValueError, match="alphas must be"):
        given_grid(alphas)


def test_repeated_rows_and_integer_weights_have_one_grid():
    X, y = np.random.default_rng(0).normal(size=(12, 3)), np.arange(12) % 3
    weights = 1.0 + np.arange(12) % 2
    once, twice = Rows.labelled(y, 3, weights), Rows.labelled(np.repeat(y, weights.astype(int)), 3)
    repeated = np.repeat(X, weights.astype(int), axis=0)
    grids = [
        grid_of(FeatureSpectrum(rows, targets, Moments.of(rows, targets)), len(rows), 3)
        for rows, targets in ((X, once), (repeated, twice))
    ]
    assert np.allclose(*grids, rtol=1e-9)
