import array_api_strict as strict
import numpy as np
import pytest
from sklearn import config_context

from simplexcoding.design import FeatureSpectrum, Folds, Moments
from simplexcoding.design.spectra.device_features import DeviceFeatures, device_moments
from simplexcoding.devices import Home
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
y = rng.integers(0, 4, 90)
X = rng.standard_normal((90, 6)) + np.eye(6)[y] + 5
ALPHAS = np.geomspace(100, 1e-3, 30)


@pytest.fixture
def home(dispatch_allowed):
    with config_context(array_api_dispatch=True):
        yield Home.of(strict.asarray(X))


def both(home, weighted, centred):
    """The spectrum on the host and that of the same rows elsewhere."""
    targets = Rows.labelled(y, 4, rng.uniform(0.5, 2, 90) if weighted else None)
    moments = Moments.of(X, targets, centred)
    there = home.bring(X)
    found = device_moments(there, home, targets, centred)
    for name in ("total", "mean", "scatter", "class_totals", "class_sums"):
        assert np.allclose(getattr(found, name), getattr(moments, name), atol=1e-10)
    return FeatureSpectrum(X, targets, moments), DeviceFeatures(there, home, targets, found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("single", [False, True])
def test_it_answers_as_the_host_does(home, weighted, centred, single, monkeypatch):
    if single:  # Scans of any size run in single precision, close decisions are taken again.
        monkeypatch.setattr("simplexcoding.design.spectra.device_features.LARGEST_IN_DOUBLE", 0)
    host, there = both(home, weighted, centred)
    for alpha in (10.0, 1e-2):
        one, other = host.leave_one_out(alpha), there.leave_one_out(alpha)
        assert np.allclose(one.scores(), other.scores(), atol=1e-10)
        assert np.allclose(host.coefficients(alpha).weights, there.coefficients(alpha).weights)
    expected, found = host.scan(ALPHAS), there.scan(ALPHAS)
    assert np.array_equal(expected.correct, found.correct)
    assert np.allclose(expected.squared_error, found.squared_error, rtol=1e-5 if single else 1e-10)


def test_samples_and_folds(home):
    host, there = both(home, True, True)
    some = np.array([5, 80, 3])
    one, other = (spectrum.sample(some).leave_one_out(1.0) for spectrum in (host, there))
    assert np.allclose(one.scores(), other.scores(), atol=1e-10)
    folds = Folds((np.arange(0, 45), np.arange(45, 90)), 90)
    one, other = (spectrum.leave_out(folds, 1.0) for spectrum in (host, there))
    assert np.allclose(one.scores(), other.scores(), atol=1e-10)
