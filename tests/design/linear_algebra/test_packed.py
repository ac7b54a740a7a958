import numpy as np
import pytest
from scipy.linalg import LinAlgError
from scipy.linalg.lapack import dtfttr

from simplexcoding.design.linear_algebra.packed import Inverse, Packed

SIZES = [1, 2, 3, 4, 7, 50, 51]


def scatter(p):
    X = np.random.default_rng(p).normal(size=(2 * p + 3, p))
    return X.T @ X


@pytest.mark.parametrize("p", SIZES)
def test_it_is_the_form_that_lapack_unpacks(p):
    matrix = scatter(p)
    packed = Packed.of(matrix)
    whole, info = dtfttr(p, packed.values.ravel(), uplo="L")
    assert info == 0 and packed.size == p
    assert np.array_equal(np.tril(whole), np.tril(matrix))
    assert packed.values.size == p * (p + 1) // 2


@pytest.mark.parametrize("p", SIZES)
def test_the_diagonal_is_found_and_shifted(p):
    matrix = scatter(p)
    packed = Packed.of(matrix)
    assert np.array_equal(np.sort(packed.diagonal()), np.sort(np.diagonal(matrix)))
    packed.shift(0.5)
    assert np.array_equal(packed.values, Packed.of(matrix + 0.5 * np.eye(p)).values)


@pytest.mark.parametrize("p", SIZES)
def test_inverses_and_what_they_solve(p):
    matrix, columns = scatter(p), np.random.default_rng(0).normal(size=(p, 3))
    before = matrix.copy()
    found = Inverse.of(matrix, 0.5, columns)
    inverse = np.linalg.inv(matrix + 0.5 * np.eye(p))
    assert np.allclose(found.packed.values, Packed.of(inverse).values, rtol=1e-9)
    assert np.allclose(found.solved, inverse @ columns, rtol=1e-9)
    assert np.array_equal(matrix, before)


def test_a_matrix_that_is_not_positive_is_refused():
    with pytest.raises(LinAlgError, match="not positive definite"):
        Inverse.of(-np.eye(4), 0.5, np.eye(4))
