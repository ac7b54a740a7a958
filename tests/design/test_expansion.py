import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.design.expansion import expand
from simplexcoding.functions import KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows, Training

rng = np.random.default_rng(0)
RBF = Kernel("rbf", 0.3)


def training(X, pairwise=False, kept=None):
    n = X.shape[0]
    rows = Rows(X, np.arange(n) % 3, 3, None, pairwise)
    return Training(rows, np.array(["a", "b", "c"]), kept)


def coefficients(n):
    B = rng.normal(size=(n, 3))
    return B - B.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
@pytest.mark.parametrize("p", [4, 40])
def test_linear_functions_are_weights_on_features_on_either_side_of_n(intercept, form, p):
    X, B = rng.normal(size=(30, p)), coefficients(30)
    found = expand(training(form(X)), Kernel("linear"), None, intercept)
    function = found.function(B)
    assert isinstance(function, LinearFunction)
    assert np.allclose(function.weights, X.T @ B)
    assert np.allclose(function.intercept, B.sum(axis=0) * intercept)
    assert np.allclose(function.scores(X), (X @ X.T + intercept) @ B)
    assert np.allclose(found.data.scores(B), (X @ X.T + intercept) @ B)
    assert np.allclose(found.data.diagonal(), (X**2).sum(axis=1) + intercept)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("pairwise", [False, True])
def test_the_whole_kernel_and_absent_rows(intercept, pairwise):
    X, B = rng.normal(size=(30, 4)), coefficients(20)
    kept = np.arange(30) % 3 > 0
    K = RBF.matrix(X)
    given = training(K[np.ix_(kept, kept)] if pairwise else X[kept], pairwise, kept)
    kernel = Kernel("precomputed") if pairwise else RBF
    found = expand(given, kernel, None, intercept)
    assert np.allclose(found.data.scores(B), (K[np.ix_(kept, kept)] + intercept) @ B)
    expected = (K[:, kept] + intercept) @ B
    assert np.allclose(found.function(B).scores(K if pairwise else X), expected)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("pairwise", [False, True])
def test_landmarks_give_the_projected_kernel_at_rows_and_elsewhere(intercept, pairwise):
    X, B = rng.normal(size=(30, 4)), coefficients(30)
    marks = np.array([2, 5, 11, 20])
    K = RBF.matrix(X)
    projected = K[:, marks] @ np.linalg.solve(K[np.ix_(marks, marks)], K[marks]) + intercept
    kernel = Kernel("precomputed") if pairwise else RBF
    found = expand(training(K if pairwise else X, pairwise), kernel, marks, intercept)
    function = found.function(B)
    assert isinstance(function, KernelExpansion) and function.weights.shape == (4, 3)
    assert np.allclose(found.data.scores(B), projected @ B)
    assert np.allclose(function.scores(K if pairwise else X), projected @ B)
    assert np.allclose(found.data.diagonal(), np.diagonal(projected))


def test_values_of_no_kernel_are_refused():
    K = RBF.matrix(rng.normal(size=(30, 4)))
    skew = K.copy()
    skew[0, 1] += 0.5
    with pytest.raises(ValueError, match="kernel must be symmetric"):
        expand(training(skew, True), Kernel("precomputed"), None, False)
    with pytest.raises(ValueError, match="kernel gives one value, 1,"):
        expand(training(np.ones((30, 30)), True), Kernel("precomputed"), None, False)
    with pytest.raises(ValueError, match="kernel must be positive semi-definite"):
        expand(training(K - 2 * np.eye(30), True), Kernel("precomputed"), None, False)
