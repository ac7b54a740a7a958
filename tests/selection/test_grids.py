import numpy as np
import pytest

from simplexcoding.selection.grids import auto_grid, given_grid


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
