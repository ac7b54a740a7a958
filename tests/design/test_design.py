"""Designs: one start for least squares and for margins."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.design import Coefficients, Moments
from simplexcoding.design.design import (
    FeatureDesign,
    KernelDesign,
    design_for,
    drawn_landmarks,
    expand,
    landmark_count,
    most_landmarks,
)
from simplexcoding.functions import KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows, Training

rng = np.random.default_rng(0)
RBF = Kernel("rbf", 0.3)
MARKS = np.array([2, 5, 11, 20])


def rows(n, weights=None):
    return Rows(None, np.arange(n) % 3, 3, weights)


def kernel_of(X, kernel, landmarks):
    """Kernel values of all pairs of rows, or of their projections."""
    K = np.asarray(kernel.matrix(X))
    if landmarks is None:
        return K
    return K[:, landmarks] @ np.linalg.solve(K[np.ix_(landmarks, landmarks)], K[landmarks])


CASES = {
    "few features": (rng.normal(size=(30, 4)), Kernel("linear"), None, FeatureDesign),
    "many features": (rng.normal(size=(30, 40)), Kernel("linear"), None, KernelDesign),
    "sparse": (csr_matrix(rng.normal(size=(30, 40))), Kernel("linear"), None, KernelDesign),
    "rbf": (rng.normal(size=(30, 4)), RBF, None, KernelDesign),
    "landmarks": (rng.normal(size=(30, 4)), RBF, MARKS, FeatureDesign),
}
each_case = pytest.mark.parametrize("case", CASES)


@each_case
def test_the_smaller_form_holds_the_kernel(case):
    X, kernel, landmarks, kind = CASES[case]
    design = design_for(X, kernel, landmarks)
    assert isinstance(design, kind)
    values = design.features @ design.features.T if kind is FeatureDesign else design.matrix
    assert np.allclose(values, kernel_of(X, kernel, landmarks))


@each_case
@pytest.mark.parametrize("intercept", [False, True])
def test_margins_and_least_squares_stand_on_the_same_kernel(case, intercept):
    X, kernel, landmarks, _ = CASES[case]
    K = kernel_of(X, kernel, landmarks)
    B = rng.normal(size=(30, 3))
    operator = design_for(X, kernel, landmarks).operator(intercept)
    assert np.allclose(operator.scores(B), (K + intercept) @ B)
    # Ridge with a free intercept is ridge of centred targets on the centred kernel.
    centre = np.eye(30) - np.ones((30, 30)) / 30 if intercept else np.eye(30)
    Y, alpha = np.eye(3)[np.arange(30) % 3], 0.7
    hat = centre @ K @ centre
    fitted = hat @ np.linalg.solve(hat + alpha * np.eye(30), centre @ Y) + Y - centre @ Y
    spectrum = design_for(X, kernel, landmarks, intercept).spectrum(rows(30), intercept)
    function = design_for(X, kernel, landmarks, intercept).basis.function(
        spectrum.coefficients(alpha)
    )
    assert np.allclose(function.scores(X), fitted)


def test_coefficients_on_a_design_become_those_of_a_function():
    X, W, b = rng.normal(size=(30, 4)), rng.normal(size=(4, 3)), rng.normal(size=3)
    scale = np.array([1.0, 2.0, 0.5, 4.0])
    design = design_for(X, Kernel("linear", scale=scale))
    function = design.basis.function(Coefficients(W, b))
    assert isinstance(function, LinearFunction)
    assert np.allclose(function.scores(X), design.features @ W + b)
    on_landmarks = design_for(X, RBF, MARKS)
    function = on_landmarks.basis.function(Coefficients(W, b))
    assert isinstance(function, KernelExpansion) and np.array_equal(function.basis, X[MARKS])
    assert np.allclose(function.scores(X), on_landmarks.features @ W + b)


def test_the_owner_of_a_precomputed_kernel_numbers_its_rows():
    K = RBF.matrix(rng.normal(size=(30, 4)))
    kept = np.flatnonzero(np.arange(30) % 3)
    part = K[np.ix_(kept, kept)]
    B = rng.normal(size=(len(kept), 3))
    basis = design_for(part, Kernel("precomputed")).basis
    function = basis.function(Coefficients(B, np.zeros(3)), kept)
    assert np.allclose(function.scores(K), K[:, kept] @ B)


def test_a_precomputed_kernel_is_left_as_it_was():
    K = RBF.matrix(rng.normal(size=(30, 4)))
    before = K.copy()
    design_for(K, Kernel("precomputed")).spectrum(rows(30, np.arange(1.0, 31.0)), True)
    assert np.array_equal(K, before)


def test_a_free_intercept_gives_an_offset_back_and_keeps_the_digits():
    X = rng.normal(size=(20, 40))
    alpha, targets = 0.7, rows(20)
    near = design_for(X, Kernel("linear"), None, True)
    far = design_for(X + 1e6, Kernel("linear"), None, True)
    found = [d.basis.function(d.spectrum(targets, True).coefficients(alpha)) for d in (near, far)]
    assert np.allclose(found[0].scores(X), found[1].scores(X + 1e6), atol=1e-6)


def test_moments_that_are_known_are_not_made_again():
    X, targets = rng.normal(size=(30, 4)), rows(30)
    moments = Moments.of(X, targets, True)
    design = design_for(X, Kernel("linear"))
    assert design.spectrum(targets, True, moments).moments is moments


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


def test_automatic_landmarks_begin_beyond_eight_thousand_rows():
    assert landmark_count(None, 10**6) is None
    assert landmark_count("auto", 8000) is None
    assert landmark_count("auto", 8001) == 3000
    assert landmark_count("auto", 2 * 8000) == int(3000 * 2**0.25)
    # Time bounds the number, and beyond 100,000 rows memory.
    assert landmark_count("auto", 10 * 8000) == most_landmarks(10 * 8000) == 5000
    assert landmark_count("auto", 10**6) == most_landmarks(10**6) == 500
    assert landmark_count(50, 40) == 40 and landmark_count(50, 400) == 50


def test_landmarks_are_drawn_as_many_as_are_asked():
    X = rng.normal(size=(30, 4))
    assert drawn_landmarks("auto", X, 0) is None and drawn_landmarks(None, X, 0) is None
    assert len(set(drawn_landmarks(10, X, 0))) == 10
