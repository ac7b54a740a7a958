import numpy as np
import pytest

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.design import design
from simplexcoding.design.validity import check_positive, check_symmetric, check_values
from simplexcoding.kernels import Kernel

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4)) * [1, 2, 3, 4]
y = rng.integers(3, size=60)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", ["linear", "rbf", "exponential", "laplacian", "poly"])
def test_kernels_are_valid_also_where_they_have_no_full_rank(name, dtype):
    rows = np.repeat(X, 3, axis=0).astype(dtype)
    K = Kernel(name, 0.1).matrix(rows)
    for check in (check_values, check_symmetric, check_positive):
        check(K)


def test_negative_eigenvalues_are_told_from_rounding():
    Q, _ = np.linalg.qr(rng.normal(size=(50, 50)))
    values = np.geomspace(1, 1e-12, 50)
    check_positive((Q * values) @ Q.T)
    values[-1] = -1e-3
    with pytest.raises(ValueError, match="positive semi-definite"):
        check_positive((Q * values) @ Q.T)


def tanh(A, B):
    return np.tanh(0.01 * A @ B.T - 1)


def lopsided(A, B):
    return A @ np.triu(np.ones((4, 4))) @ B.T


@pytest.mark.parametrize("landmarks", [None, 20])
@pytest.mark.parametrize(
    ("kernel", "options", "words"),
    [
        (tanh, {}, "positive semi-definite"),
        (lopsided, {}, "kernel must be symmetric"),
        (lambda A, B: 1j * (A @ B.T), {}, "must return real numbers, got complex128"),
        (lambda A, B: np.full((len(A), len(B)), 2.0), {}, "one value, 2, for all pairs"),
        ("rbf", {"gamma": 1e-300}, "one value, 1, for all pairs of rows"),
        ("poly", {"coef0": -9.0}, "positive semi-definite"),
        ("poly", {"coef0": -9.0, "degree": 2.5}, "undefined"),
        ("poly", {"degree": 1e4}, "kernel overflows"),
    ],
)
@pytest.mark.parametrize("small", [True, False])
def test_the_ridge_refuses_what_is_no_kernel(kernel, options, words, landmarks, small, monkeypatch):
    if not small:
        monkeypatch.setattr(design, "EIGEN_ROWS", 10)
    with pytest.raises(ValueError, match=words):
        SimplexRidgeClassifier(kernel, landmarks=landmarks, **options).fit(X, y)


def test_a_precomputed_matrix_is_checked_too():
    K = X @ X.T
    K[0, 0] = -1000
    with pytest.raises(ValueError, match="positive semi-definite"):
        SimplexRidgeClassifier("precomputed").fit(K, y)


@pytest.mark.parametrize("landmarks", [None, 20])
def test_a_callables_own_array_is_left_alone(landmarks):
    own = X @ X.T
    before = own.copy()

    def kernel(A, B):
        return own[:, : len(B)] if len(A) == 60 else A @ B.T

    weights = rng.uniform(0.5, 2, 60)
    SimplexRidgeClassifier(kernel if landmarks is None else cached(own), landmarks=landmarks).fit(
        X, y, weights
    )
    assert np.array_equal(own, before)


def cached(own):
    """Kernel values from one array, whatever rows are asked."""
    place = {row.tobytes(): i for i, row in enumerate(X)}

    def kernel(A, B):
        rows = slice(None) if len(A) == 60 else [place[row.tobytes()] for row in A]
        columns = [place[row.tobytes()] for row in B]
        if columns == sorted(columns) and np.ptp(columns) == len(columns) - 1:
            return own[rows, columns[0] : columns[-1] + 1]
        return own[rows][:, columns]

    return kernel
