import numpy as np
import pytest
from scipy.linalg import LinAlgError

from simplexcoding.design.linear_algebra import factor
from simplexcoding.design.linear_algebra.factor import (
    TriangularSolves,
    cholesky_in_place,
    few_threads,
)

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


@pytest.mark.parametrize("block", [1, 3, 8, 256])
@pytest.mark.parametrize("dtype, close", [(np.float64, 1e-12), (np.float32, 1e-4)])
def test_solves_in_blocks_are_those_of_the_matrix(monkeypatch, block, dtype, close):
    monkeypatch.setattr(factor, "_BLOCK", block)
    rng = np.random.default_rng(1)
    A = rng.normal(size=(20, 30))
    matrix = A @ A.T + np.eye(20)
    L = cholesky_in_place(np.asfortranarray(matrix, dtype=dtype), clean=False)
    L[np.triu_indices(20, 1)] = np.nan  # Not to be read.
    Q = rng.normal(size=(20, 4)).astype(dtype)
    before = Q.copy()
    X = TriangularSolves(L).solve(Q)
    assert X.dtype == dtype and (before == Q).all()
    assert np.abs(matrix @ X - Q).max() < close
