"""What every factorised least-squares problem must satisfy."""

import numpy as np
import pytest

from reference.ridge import fit, left_out_scores, simplex_scores
from simplexcoding.design import (
    CholeskySpectrum,
    FeatureCholesky,
    FeatureSpectrum,
    Folds,
    GramSpectrum,
    Moments,
    WeightedKernel,
)
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows

KINDS = {
    "features": lambda X, K, t, b: FeatureSpectrum(X, t, Moments.of(X, t, b)),
    "feature cholesky": lambda X, K, t, b: FeatureCholesky(X, t, Moments.of(X, t, b)),
    "gram": lambda X, K, t, b: GramSpectrum(WeightedKernel.of(K.copy(), t, b)),
    "cholesky": lambda X, K, t, b: CholeskySpectrum(WeightedKernel.of(K.copy(), t, b)),
}
ALPHAS = np.array([30.0, 1.0, 0.05])


def problem(n, p, T, weighted, seed=0):
    rng = np.random.default_rng([seed, n, T])
    X = rng.normal(size=(n, p)) + 2
    X[n // 2] = X[n // 2 + 1]  # A repeated row.
    y = rng.integers(T - 1, size=n)
    y[3] = T - 1  # A class with one row.
    w = rng.integers(1, 4, n).astype(float) if weighted else None
    return X, y, Rows.labelled(y, T, w)


@pytest.fixture(params=[(40, 6, 3), (40, 6, 2), (25, 40, 7)], ids=["T3", "T2", "n<p"])
def shape(request):
    return request.param


@pytest.fixture(params=[False, True], ids=["", "weighted"])
def case(request, shape):
    return problem(*shape, request.param)


@pytest.fixture(params=[True, False], ids=["intercept", "no-intercept"])
def intercept(request):
    return request.param


@pytest.fixture(params=list(KINDS))
def spectrum(request, case, intercept):
    X, _, targets = case
    return KINDS[request.param](X, X @ X.T, targets, intercept)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_leave_one_out_equals_refits(spectrum, case, intercept, alpha):
    X, y, t = case
    slow = left_out_scores(X @ X.T, y, t.n_classes, alpha, w=t.weights, intercept=intercept)
    result = spectrum.leave_one_out(alpha)
    assert np.allclose(result.scores(), slow, rtol=0, atol=1e-8)
    assert np.array_equal(result.predictions(), slow.argmax(axis=1))


def test_nobody_can_overwrite_what_a_spectrum_keeps(spectrum, case):
    X, _, _ = case
    first = spectrum.leave_one_out(1.0)
    expected, solution = first.scores(), spectrum.coefficients(1.0)
    weights = solution.weights.copy()
    assert np.array_equal(first.scores(overwrite=True), expected)
    assert np.array_equal(spectrum.leave_one_out(1.0).scores(), expected)
    assert np.array_equal(spectrum.coefficients(1.0).weights, weights)
    folds = Folds((np.arange(5), np.arange(5, len(X))), len(X))
    left_out = spectrum.leave_out(folds, 1.0)
    expected = left_out.scores()
    left_out.scores(overwrite=True)
    assert np.array_equal(spectrum.leave_out(folds, 1.0).scores(), expected)


def test_leave_out_equals_refits(spectrum, case, intercept):
    X, y, t = case
    rng = np.random.default_rng(1)
    # Unequal folds on both sides of the number of features.
    folds = np.split(rng.permutation(len(y)), [3, 5, 20])
    slow = left_out_scores(
        X @ X.T, y, t.n_classes, 0.7, w=t.weights, intercept=intercept, folds=folds
    )
    found = spectrum.leave_out(Folds(tuple(folds), len(y)), 0.7)
    assert np.allclose(found.scores(), slow, rtol=0, atol=1e-8)


def test_folds_that_overlap_give_the_mean_of_refits_and_rows_of_none_nan(spectrum, case, intercept):
    X, y, t = case
    folds = [np.arange(8), np.arange(4, 20), np.array([5, 21])]
    each = [
        left_out_scores(
            X @ X.T, y, t.n_classes, 0.7, w=t.weights, intercept=intercept, folds=[fold]
        )
        for fold in folds
    ]
    found = spectrum.leave_out(Folds(tuple(folds), len(y)), 0.7).scores()
    for row in range(len(y)):
        mine = [scores[row] for fold, scores in zip(folds, each, strict=True) if row in fold]
        expected = np.mean(mine, axis=0) if mine else np.full(t.n_classes, np.nan)
        assert np.allclose(found[row], expected, rtol=0, atol=1e-8, equal_nan=True)


def test_coefficients_equal_the_plain_solution(spectrum, case, intercept):
    X, y, t = case
    K = X @ X.T
    w = np.ones(len(y)) if t.weights is None else t.weights
    A, b = fit(K, np.eye(t.n_classes)[y], w, 1.3, intercept)
    found = spectrum.coefficients(1.3)
    basis = X if isinstance(spectrum, FeatureSpectrum | FeatureCholesky) else K
    assert np.allclose(basis @ found.weights + found.intercept, K @ A + b, atol=1e-9)
    simple = found.simplex()
    assert np.allclose(basis @ simple.weights + simple.intercept, simplex_scores(K @ A + b))


def test_scan_agrees_with_single_alphas(spectrum, case):
    _, y, t = case
    scan = spectrum.scan(ALPHAS)
    for k, alpha in enumerate(ALPHAS):
        result = spectrum.leave_one_out(alpha)
        assert np.array_equal(scan.correct[k], result.predictions() == y)
        error = np.average(result.squared_errors(), weights=t.weights)
        assert scan.squared_error[k] == pytest.approx(error, rel=1e-9)


def test_squared_error_is_the_distance_to_the_vertex(spectrum, case):
    _, y, t = case
    T = t.n_classes
    result = spectrum.leave_one_out(1.0)
    G = T / (T - 1) * (np.eye(T) - 1 / T)
    distance = (T - 1) / T * np.sum((result.scores() - G[y]) ** 2, axis=1)
    assert np.allclose(result.squared_errors(), distance)


def test_effective_dimension_is_the_trace_of_the_hat_matrix(spectrum, case, intercept):
    X, y, t = case
    K = X @ X.T
    w = np.ones(len(y)) if t.weights is None else t.weights
    A, b = fit(K, np.eye(len(y)), w, 1.0, intercept)
    trace = np.trace(K @ A + b) - intercept
    assert spectrum.effective_dimension(np.array([1.0])) == pytest.approx([trace])


@pytest.mark.parametrize("kind", ["gram", "cholesky"])
@pytest.mark.parametrize("alpha", [1e-12, 1e-6])
@pytest.mark.parametrize("rank_one", [True, False])
def test_ill_conditioned_kernels_stay_finite(kind, alpha, rank_one):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 1)) if rank_one else np.repeat(rng.normal(size=(6, 3)), 5, axis=0)
    K = X @ X.T if rank_one else Kernel("rbf", 0.01).matrix(X)
    targets = Rows.labelled(rng.integers(3, size=30), 3)
    spectrum = KINDS[kind](X, K, targets, True)
    assert np.all(np.isfinite(spectrum.leave_one_out(alpha).scores()))
    assert np.all(np.isfinite(spectrum.coefficients(alpha).weights))


@pytest.mark.parametrize("alpha", [1e-12, 1.0])
def test_constant_and_equal_columns_change_nothing(alpha):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=(30, 2)), np.ones(30), np.zeros(30)])
    X = np.column_stack([X, X[:, 0]])
    targets = Rows.labelled(rng.integers(3, size=30), 3)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    # Two equal columns are one that is longer by the root of two; a constant is the intercept's.
    distinct = X[:, :2] * [2**0.5, 1]
    alone = FeatureSpectrum(distinct, targets, Moments.of(distinct, targets))
    expected = alone.leave_one_out(alpha).scores()
    assert np.allclose(spectrum.leave_one_out(alpha).scores(), expected, atol=1e-8)
    error = alone.scan(np.array([alpha])).squared_error
    assert np.allclose(spectrum.scan(np.array([alpha])).squared_error, error, atol=1e-8)


def test_a_stand_in_is_offered_where_asking_every_alpha_is_expensive(spectrum, case):
    offered = {
        FeatureSpectrum: (None, spectrum),
        GramSpectrum: (None, None),
        FeatureCholesky: (None, None),
    }
    if isinstance(spectrum, CholeskySpectrum):
        few, many = spectrum.stand_in(100), spectrum.stand_in(10**8)
        assert isinstance(few, FeatureSpectrum) and isinstance(many, FeatureSpectrum)
        # Projected on all of its rows it is the same fit.
        assert np.allclose(
            few.leave_one_out(1.0).scores(), spectrum.leave_one_out(1.0).scores(), atol=1e-6
        )
        return
    few, many = offered[type(spectrum)]
    assert spectrum.stand_in(100) is few and spectrum.stand_in(10**8) is many
    assert spectrum.stand_in(100, cheap=False) is many


def test_a_sample_is_the_same_fit_asked_about_some_rows(spectrum):
    rows = np.array([4, 1, 7])
    if isinstance(spectrum, GramSpectrum | CholeskySpectrum):
        with pytest.raises(NotImplementedError, match="answers for all of its rows"):
            spectrum.sample(rows)
        return
    found = spectrum.sample(rows).leave_one_out(0.5).scores()
    whole = spectrum.leave_one_out(0.5)
    # A sample of features that are only asked a few alphas is in single precision, whose rounding
    # of errors and leverages is divided by what a row lacks of leverage one.
    eps = np.finfo(np.float32).eps if isinstance(spectrum, FeatureCholesky) else 1e-11
    close = 16 * eps / whole.slack[rows, None]
    assert np.all(np.abs(found - whole.scores()[rows]) <= close)


def test_rounding_is_that_of_the_precision(spectrum):
    assert spectrum.rounding == np.finfo(np.float64).eps
    if isinstance(spectrum, GramSpectrum | CholeskySpectrum):
        kernel = WeightedKernel.of(
            np.eye(5, dtype=np.float32), Rows.labelled(np.arange(5) % 2, 2), True
        )
        assert type(spectrum)(kernel).rounding == np.finfo(np.float32).eps
