import numpy as np
import pytest

from simplexcoding.design import GramSpectrum, WeightedKernel
from simplexcoding.design.spectra import gram
from simplexcoding.rows import Rows


def test_a_scan_in_pieces_equals_a_scan_at_once(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    targets = Rows.labelled(rng.integers(3, size=30), 3)
    spectrum = GramSpectrum(WeightedKernel.of(X @ X.T, targets, True))
    alphas = np.geomspace(10, 0.01, 7)
    whole = spectrum.scan(alphas)
    monkeypatch.setattr(gram, "_SCAN_ENTRIES", 200)
    parts = spectrum.scan(alphas)
    assert np.array_equal(whole.correct, parts.correct)
    assert parts.squared_error == pytest.approx(whole.squared_error)


def test_the_intercept_is_found_among_equal_eigenvalues():
    """Centred, a kernel of rank one has many zero eigenvalues; the intercept's must go."""
    targets = Rows.labelled(np.array([0, 1, 0, 1, 1]), 2)
    spectrum = GramSpectrum(WeightedKernel.of(np.ones((5, 5)), targets, True))
    assert len(spectrum.eigenvalues) == 4
    left_out = spectrum.leave_one_out(1.0).scores()
    # The prediction is the mean of the other rows, in simplex scores 2 (p - 1/2).
    assert np.allclose(left_out[0], 2 * (np.array([1 / 4, 3 / 4]) - 1 / 2))
