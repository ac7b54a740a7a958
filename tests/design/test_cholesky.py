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
    assert spectrum.leave_one_out(1e-7 * top).errors.dtype == np.float64


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
    result, exact = spectrum.roughly(1e-6 * top)
    assert not exact and result.errors.dtype == np.float32
    truth = CholeskySpectrum(WeightedKernel.of(K, targets, True)).leave_one_out(1e-6 * top)
    assert truth.errors.dtype == np.float64
    assert np.abs(result.scores() - truth.scores()).max() < 0.05 * np.abs(truth.scores()).max()
    # What was asked exactly stays exact, and so does what single precision answers rightly.
    assert np.array_equal(spectrum.leave_one_out(1e-6 * top).errors, truth.errors)
    assert spectrum.roughly(1e-6 * top)[1] and spectrum.roughly(1e-2 * top)[1]


def test_where_single_precision_fails_a_rough_answer_is_the_exact_one():
    K = (X @ X.T).astype(np.float32)
    K -= np.float32(1e-4) * np.eye(40, dtype=np.float32)
    spectrum = CholeskySpectrum(WeightedKernel.of(K, targets, True))
    alpha = 1e-7 * float(spectrum.eigenvalues[-1])
    result, exact = spectrum.roughly(alpha)
    assert exact and np.array_equal(result.errors, spectrum.leave_one_out(alpha).errors)
