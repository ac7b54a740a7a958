import numpy as np
import pytest

from simplexcoding.design import CholeskySpectrum, Folds, GramSpectrum, WeightedKernel
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
targets = Rows.labelled(rng.integers(3, size=40), 3)


def test_one_factorisation_for_each_alpha(monkeypatch):
    spectrum = CholeskySpectrum(WeightedKernel.of(X @ X.T, targets, True))
    calls = []
    factorise = spectrum._factorise
    monkeypatch.setattr(spectrum, "_factorise", lambda a: calls.append(a) or factorise(a))
    spectrum.leave_one_out(0.5)
    spectrum.coefficients(0.5)
    spectrum.effective_dimension(np.array([0.5, 2.0]))
    assert calls == [0.5, 2.0]


def test_the_largest_eigenvalue_is_known():
    K = X @ X.T
    spectrum = CholeskySpectrum(WeightedKernel.of(K.copy(), targets, False))
    assert spectrum.eigenvalues[0] == pytest.approx(np.linalg.eigvalsh(K)[-1], rel=1e-2)


def test_where_it_fails_the_eigendecomposition_answers():
    K = X @ X.T
    K -= 1e-9 * np.eye(40)  # Not positive semi-definite, as rounding can make it.
    spectrum = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    eigen = GramSpectrum(WeightedKernel.of(K, targets, True))
    found = spectrum.leave_one_out(1e-12).scores()
    assert np.array_equal(found, eigen.leave_one_out(1e-12).scores())
    assert np.all(np.isfinite(spectrum.coefficients(1e-12).weights))
    assert np.all(np.isfinite(spectrum.effective_dimension(np.array([1e-12]))))


def test_small_alphas_are_factorised_in_double_precision():
    K = (X @ X.T).astype(np.float32)
    spectrum = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    top = float(spectrum.eigenvalues[0])
    assert spectrum.leave_one_out(0.1 * top).errors.dtype == np.float32
    assert spectrum.leave_one_out(5e-8 * top).errors.dtype == np.float64


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("share", [1e-3, 1e-5, 2e-7])
def test_single_precision_loses_no_more_than_its_kernel_values(share, weighted, intercept):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    K = np.exp(-0.1 * np.square(X[:, None] - X).sum(axis=2))
    w = rng.integers(1, 4, 600).astype(float) if weighted else None
    targets = Rows.labelled((X[:, 0] + rng.normal(size=600) > 0).astype(int), 2, w)

    def answers(matrix):
        spectrum = CholeskySpectrum(WeightedKernel.of(matrix.copy(), targets, intercept))
        alpha = share * top
        found = spectrum.coefficients(alpha)
        return spectrum.leave_one_out(alpha).errors, K @ found.weights + found.intercept

    top = float(np.linalg.eigvalsh(K)[-1])
    single = K.astype(np.float32)
    truth, rounded, ours = answers(K), answers(single.astype(np.float64)), answers(single)
    assert ours[0].dtype == np.float32
    for exact, least, found in zip(truth, rounded, ours, strict=True):
        # Roots of weights are rounded too.
        allowed = 4 * np.abs(least - exact).max() + 1e-6
        assert np.abs(found - exact).max() < allowed


def test_values_in_double_precision_are_factorised_in_single_where_it_serves():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    K = np.exp(-0.1 * np.square(X[:, None] - X).sum(axis=2))
    targets = Rows.labelled(rng.integers(3, size=600), 3)
    exact = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    single = exact.in_single()
    top = float(exact.eigenvalues[-1])
    for alpha, dtype in ((1e-2 * top, np.float32), (1e-7 * top, np.float32), (1e-11 * top, float)):
        found, truth = single.leave_one_out(alpha), exact.leave_one_out(alpha)
        assert found.errors.dtype == dtype and truth.errors.dtype == np.float64
        # In units of the scores: at the smallest they are large.
        scores = truth.scores()
        assert np.abs(found.scores() - scores).max() < 2e-3 * np.abs(scores).max()


def test_folds_of_single_precision_are_left_out_in_double_where_alpha_is_small():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    K = np.exp(-np.square(X[:, None] - X).sum(axis=2)).astype(np.float32)
    targets = Rows.labelled(rng.integers(3, size=80), 3)
    folds = Folds(tuple(np.array_split(np.arange(80), 4)), 80)
    exact = GramSpectrum(WeightedKernel.of(K.astype(np.float64), targets, True))
    single = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    alpha = 3e-6 * float(single.eigenvalues[-1])
    ours, truth = (s.leave_out(folds, alpha).scores() for s in (single, exact))
    assert np.allclose(ours, truth, atol=1e-5 * np.abs(truth).max())


def test_a_rough_answer_is_single_precision_and_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    K = np.exp(-np.square(X[:, None] - X).sum(axis=2)).astype(np.float32)
    targets = Rows.labelled(rng.integers(3, size=200), 3)
    spectrum = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    top = float(spectrum.eigenvalues[-1])
    result, exact = spectrum.roughly(5e-8 * top)
    assert not exact and result.errors.dtype == np.float32
    truth = CholeskySpectrum(WeightedKernel.of(K, targets, True)).leave_one_out(5e-8 * top)
    assert truth.errors.dtype == np.float64
    assert np.abs(result.scores() - truth.scores()).max() < 0.05 * np.abs(truth.scores()).max()
    # What was asked exactly stays exact, and so does what single precision answers rightly.
    assert np.array_equal(spectrum.leave_one_out(5e-8 * top).errors, truth.errors)
    assert spectrum.roughly(5e-8 * top)[1] and spectrum.roughly(1e-2 * top)[1]


def test_where_single_precision_fails_a_rough_answer_is_the_exact_one():
    K = (X @ X.T).astype(np.float32)
    K -= np.float32(1e-4) * np.eye(40, dtype=np.float32)
    spectrum = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    alpha = 1e-7 * float(spectrum.eigenvalues[-1])
    result, exact = spectrum.roughly(alpha)
    assert exact and np.array_equal(result.errors, spectrum.leave_one_out(alpha).errors)
