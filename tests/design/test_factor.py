import numpy as np
import pytest
from scipy.linalg import LinAlgError

from simplexcoding.design import factor
from simplexcoding.design.factor import cholesky_in_place, few_threads

A = np.random.default_rng(0).normal(size=(5, 8))
K = np.asfortranarray(A @ A.T)


@pytest.mark.parametrize("safe", [0, np.inf])
def test_the_factor_takes_the_memory_of_the_matrix(monkeypatch, safe):
    monkeypatch.setattr(factor, "_SAFE_BYTES", safe)
    matrix = K.copy(order="F")
    L = cholesky_in_place(matrix)
    assert np.shares_memory(L, matrix)
    assert np.allclose(L @ L.T, K) and np.array_equal(L, np.tril(L))


def test_large_matrices_get_one_thread(monkeypatch):
    monkeypatch.setattr(factor, "_SAFE_BYTES", 0)
    with few_threads(K) as limits:
        assert limits is not None
    monkeypatch.setattr(factor, "_SAFE_BYTES", np.inf)
    with few_threads(K) as limits:
        assert limits is None


def test_a_matrix_that_is_not_positive_definite_is_an_error():
    with pytest.raises(LinAlgError, match="not positive definite"):
        cholesky_in_place(np.asfortranarray(-np.eye(3)))
