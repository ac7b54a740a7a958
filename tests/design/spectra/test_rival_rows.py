import numpy as np
import pytest

from simplexcoding.design import LeaveOneOut
from simplexcoding.design.spectra.rival_rows import find_rivals


def contest(errors, slack, y, n_rivals):
    n_rows = len(errors)
    rivals, hits = np.zeros((n_rows, n_rivals), dtype=np.intp), np.empty(n_rows, dtype=bool)
    squares = np.empty(n_rows)
    find_rivals(errors, slack, y, rivals, hits, squares)
    return rivals, hits, squares


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_rivals", [1, 3, 6])
def test_the_smallest_errors_of_the_other_classes_in_order(n_rivals, dtype):
    rng = np.random.default_rng(n_rivals)
    errors, y = rng.normal(size=(50, 7)).astype(dtype), rng.integers(7, size=50)
    slack = rng.uniform(0.1, 1, 50).astype(dtype)
    rivals, hits, squares = contest(errors, slack, y, n_rivals)
    result = LeaveOneOut(errors, slack, y)
    others = errors.copy()
    others[np.arange(50), y] = np.inf
    assert np.array_equal(rivals, np.argsort(others, axis=1, kind="stable")[:, :n_rivals])
    assert np.array_equal(hits, result.predictions() == y)
    assert np.allclose(
        squares, result.squared_errors(), rtol=1e-4 if dtype == np.float32 else 1e-12
    )


def test_ties_go_to_the_lowest_index():
    errors = np.array([[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]])
    rivals, hits, _ = contest(errors, np.full(3, 0.5), np.arange(3), 2)
    assert rivals.tolist() == [[1, 2], [0, 2], [0, 1]]
    assert hits.tolist() == [True, False, False]
