import numpy as np
import pytest
from scipy.linalg import LinAlgError

from simplexcoding.design import FeatureCholesky, FeatureSpectrum, Moments
from simplexcoding.design.spectra import feature_cholesky
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X, y = rng.normal(size=(300, 20)) @ rng.normal(size=(20, 20)) + 3, rng.integers(4, size=300)
TARGETS = Rows.labelled(y, 4, rng.uniform(0.5, 2, 300))


def both(rows, targets=TARGETS):
    moments = Moments.of(rows, targets)
    return FeatureCholesky(rows, targets, moments), FeatureSpectrum(rows, targets, moments)


def test_some_rows_of_the_same_fit():
    few, (whole, _) = np.array([7, 3, 250]), both(X)
    found, expected = whole.sample(few).leave_one_out(0.3), whole.leave_one_out(0.3)
    # A sample chooses, in single precision.
    np.testing.assert_allclose(found.scores(), expected.scores()[few], atol=1e-6)


@pytest.mark.parametrize("alpha", [1e2, 1.0, 1e-4, 1e-8])
def test_single_precision_features_keep_their_digits(alpha):
    fast, eigen = both(X.astype(np.float32))
    assert fast.leave_one_out(alpha).errors.dtype == np.float32
    exact = FeatureSpectrum(X, TARGETS, Moments.of(X, TARGETS)).leave_one_out(alpha).scores()
    error = np.abs(fast.leave_one_out(alpha).scores() - exact).max()
    assert error < max(2 * np.abs(eigen.leave_one_out(alpha).scores() - exact).max(), 1e-4)


def test_an_answer_is_kept(monkeypatch):
    fast, _ = both(X)
    first = fast.leave_one_out(1.0)
    monkeypatch.setattr(feature_cholesky, "cholesky_in_place", None)
    assert fast.leave_one_out(1.0) is first


def test_eigenvectors_take_over_where_a_factorisation_fails(monkeypatch):
    fast, eigen = both(X)

    def fail(matrix):
        raise LinAlgError

    monkeypatch.setattr(feature_cholesky, "cholesky_in_place", fail)
    found, expected = fast.leave_one_out(1.0).scores(), eigen.leave_one_out(1.0).scores()
    np.testing.assert_allclose(found, expected)
    np.testing.assert_allclose(fast.coefficients(1.0).weights, eigen.coefficients(1.0).weights)
