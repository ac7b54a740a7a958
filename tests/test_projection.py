import cvxpy as cp
import numpy as np
import pytest

from simplexcoding.projection import project_on_simplex


@pytest.mark.parametrize("T", [2, 3, 9])
@pytest.mark.parametrize("total", [1.0, 1.5])
def test_agrees_with_a_convex_solver(T, total):
    rows = np.random.default_rng(T).normal(size=(5, T)) * 2
    for row, ours in zip(rows, project_on_simplex(rows, total), strict=True):
        v = cp.Variable(T)
        problem = cp.Problem(cp.Minimize(cp.sum_squares(v - row)), [v >= 0, cp.sum(v) == total])
        problem.solve(solver=cp.CLARABEL)
        assert np.allclose(ours, v.value, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-8, 1.0, 1e8])
def test_sums_to_the_total_at_any_scale_and_keeps_the_argmax(scale):
    rows = np.random.default_rng(0).normal(size=(200, 30)) * scale
    projected = project_on_simplex(rows)
    assert np.allclose(projected.sum(axis=1), 1, atol=1e-12)
    assert projected.min() >= 0
    assert np.array_equal(projected.argmax(axis=1), rows.argmax(axis=1))


def test_a_point_of_the_simplex_stays():
    rows = np.random.default_rng(0).dirichlet(np.ones(4), size=10)
    assert np.allclose(project_on_simplex(rows), rows, atol=1e-15)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_agrees_with_sorting(dtype, order):
    rng = np.random.default_rng(1)
    rows = np.asarray(rng.standard_t(2, size=(300, 40)), dtype=dtype, order=order)
    rows[:50] = rows[:50].round()  # Ties.
    rows.setflags(write=False)
    falling = -np.sort(-rows.astype(np.float64), axis=1)
    theta = (falling.cumsum(axis=1) - 1) / np.arange(1, 41)
    theta = theta[np.arange(300), (falling > theta).sum(axis=1) - 1]
    projected = project_on_simplex(rows)
    assert projected.dtype == dtype
    assert np.allclose(projected, np.maximum(rows - theta[:, None], 0), atol=1e-6)


def test_rows_that_are_not_numbers_do_not_hang():
    rows = np.array([[np.nan, 1.0], [np.inf, 0.0], [-np.inf, 0.0]])
    assert project_on_simplex(rows)[2].tolist() == [0.0, 1.0]
