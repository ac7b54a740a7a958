"""What every spectrum shares is in tests/contracts/test_spectra.py."""

import numpy as np
import pytest

from simplexcoding.design import Coefficients, Spectrum


def test_a_spectrum_cannot_be_half_defined():
    with pytest.raises(TypeError, match="abstract"):
        Spectrum()


def test_simplex_coefficients_give_scores_that_sum_to_zero():
    rng = np.random.default_rng(0)
    one_hot = Coefficients(rng.normal(size=(4, 3)), rng.normal(size=3))
    simple = one_hot.simplex()
    assert np.allclose(simple.weights.sum(axis=1), 0)
    assert np.allclose(simple.intercept.sum(), 0)
    assert np.allclose(np.diff(simple.weights), 1.5 * np.diff(one_hot.weights))
