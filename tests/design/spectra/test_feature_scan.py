import pickle

import numpy as np
import pytest

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.design.spectra import feature_scan
from simplexcoding.design.spectra.feature_scan import resolvent_factors
from simplexcoding.rows import Rows


@pytest.fixture
def spectrum():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 30)) * np.logspace(0, -4, 30)
    y = (X[:, :5] + 0.3 * rng.normal(size=(700, 5))).argmax(axis=1)
    t = Rows.labelled(y, 5, rng.uniform(0.5, 2, 700))
    return FeatureSpectrum(X, t, Moments.of(X, t))


@pytest.mark.parametrize("n_alphas", [3, 100])
@pytest.mark.parametrize("large", [0, np.inf])
@pytest.mark.parametrize("compiled", [0, np.inf])
def test_hits_are_those_of_double_precision_whatever_the_scan_ran_in(
    spectrum, monkeypatch, n_alphas, large, compiled
):
    monkeypatch.setattr(feature_scan, "LARGEST_IN_DOUBLE", large)
    monkeypatch.setattr(feature_scan, "_COMPILED_ENTRIES", compiled)
    monkeypatch.setattr(feature_scan, "_BLOCK_ENTRIES", 2**15)
    alphas = np.geomspace(1e3, 1e-8, n_alphas)
    scan = spectrum.scan(alphas)
    for k, alpha in enumerate(alphas):
        result = spectrum.leave_one_out(alpha)
        assert np.array_equal(scan.correct[k], result.predictions() == result.y)
        error = np.average(result.squared_errors(), weights=spectrum.targets.weights)
        assert scan.squared_error[k] == pytest.approx(error, rel=1e-6)


def test_close_decisions_are_taken_again(spectrum, monkeypatch):
    """With every decision in doubt the plain formula takes them all, to the same end."""
    alphas = np.geomspace(10, 1e-3, 7)
    plain = feature_scan.Scanner(spectrum, alphas, np.float64).scan(spectrum)
    monkeypatch.setattr(feature_scan, "DOUBTFUL_LEAD", np.inf)
    settled = feature_scan.Scanner(spectrum, alphas, np.float32).scan(spectrum)
    assert np.array_equal(plain.correct, settled.correct)


@pytest.mark.parametrize("large", [0, np.inf])
def test_rows_that_come_in_turn_are_answered_as_all_at_once(spectrum, monkeypatch, large):
    """Prepared once, pickled, and asked about a block at a time; other alphas are answered too."""
    monkeypatch.setattr(feature_scan, "LARGEST_IN_DOUBLE", large)
    alphas, rng = np.geomspace(10, 1e-3, 7), np.random.default_rng(0)
    X = rng.normal(size=(700, 30)) * np.logspace(0, -4, 30)
    ready = pickle.loads(pickle.dumps(spectrum.without_rows(alphas, 2.0)))
    assert len(ready.rows) == 0
    whole = spectrum.scan(alphas)
    for asked in (alphas, alphas[:2]):
        totals = np.zeros(len(asked))
        for rows in (slice(0, 1), slice(1, 300), slice(300, 700)):
            part = ready.over(X[rows], spectrum.targets.take(rows))
            found = part.scan(asked)
            assert np.array_equal(found.correct, whole.correct[: len(asked), rows])
            totals += found.squared_error * part.targets.total
        expected = whole.squared_error[: len(asked)]
        assert np.allclose(totals / spectrum.targets.total, expected, rtol=1e-6)


def test_few_factors_do_and_errors_grow_with_the_leverage(spectrum, monkeypatch):
    """Far rows err more than the rows that the error is measured on, and are still right."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(4000, 30)) * np.logspace(0, -2, 30)
    X *= np.append(np.ones(100), rng.exponential(1, 3900) ** 2)[:, None]
    y = (X[:, :8] + rng.normal(size=(4000, 8))).argmax(axis=1)
    t = Rows.labelled(y, 8)
    spectrum = FeatureSpectrum(X.astype(np.float32), t, Moments.of(X.astype(np.float32), t))
    monkeypatch.setattr(feature_scan, "LARGEST_IN_DOUBLE", 0)
    monkeypatch.setattr(feature_scan, "_SMALL_ERROR", 1e-3)
    alphas = np.geomspace(300, 30, 13)
    scanner = feature_scan.Scanner(spectrum, alphas, np.float32)
    assert scanner._left.shape[1] <= 3
    assert scanner.measured_error(spectrum) > 1e-5
    found = spectrum.scan(alphas).correct
    for k, alpha in enumerate(alphas):
        exact = feature_scan.decide(spectrum, spectrum.rows, np.arange(4000), np.full(4000, alpha))
        assert np.array_equal(found[k], exact)


def test_products_and_predictions_of_one_shape_share_no_memory():
    """(q + 1) T products and k predictions: with ten classes and nine factors both are 100."""
    rng = np.random.default_rng(0)
    y = rng.integers(10, size=1000)
    X = rng.normal(size=(10, 64))[y] * 0.3 + rng.normal(size=(1000, 64))
    t = Rows.labelled(y, 10)
    spectrum = FeatureSpectrum(X, t, Moments.of(X, t))
    alphas = np.geomspace(1e4, 1e4 / 10**1.25, 100)
    scanner = feature_scan.Scanner(spectrum, alphas, np.float64)
    assert 10 * (scanner._left.shape[1] + 1) == 100
    found = spectrum.scan(alphas).correct
    for k in (0, 50, 99):
        result = spectrum.leave_one_out(alphas[k])
        assert np.array_equal(found[k], result.predictions() == y)


def test_ties_go_to_the_lowest_index():
    """Rows at the mean learn nothing: every class but the left-out one ties."""
    X = np.zeros((6, 1))
    y = np.array([0, 0, 1, 1, 2, 2])
    t = Rows.labelled(y, 3)
    spectrum = FeatureSpectrum(X, t, Moments.of(X, t))
    scan = spectrum.scan(np.array([1.0, 2.0]))
    assert not scan.correct.any()
    assert spectrum.leave_one_out(1.0).predictions().tolist() == [1, 1, 0, 0, 0, 0]


def test_a_path_needs_far_fewer_products_than_alphas():
    s = np.logspace(-6, 0, 400)
    alphas = np.geomspace(1, 1e-8, 100)
    left, right = resolvent_factors(s, alphas)
    error = np.abs(left @ right - 1 / (s[:, None] + alphas)) * s[:, None]
    assert error.max() < 1e-9
    assert right.shape[0] <= 40


def test_zero_eigenvalues_are_harmless():
    left, right = resolvent_factors(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.1]))
    assert np.all(np.isfinite(left @ right))
    assert np.allclose((left @ right)[2], [1 / 2, 1 / 1.1])
