import numpy as np
import pytest

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.design.spectra.rivals import Contest
from simplexcoding.rows import Rows


def spectrum_of(n_rows, n_classes, weighted=False, centred=True, unit=1.0):
    rng = np.random.default_rng(0)
    y = rng.integers(n_classes, size=n_rows)
    X = rng.normal(size=(n_classes, 20))[y] + rng.normal(size=(n_rows, 20))
    X *= unit * np.logspace(0, -2, 20)
    weights = rng.integers(1, 4, n_rows).astype(float) if weighted else None
    targets = Rows.labelled(y, n_classes, weights)
    return FeatureSpectrum(X, targets, Moments.of(X, targets, centred))


def test_rivals_hits_and_squares_are_those_of_the_predictions():
    spectrum = spectrum_of(300, 30)
    result = spectrum.leave_one_out(1.0)
    contest = Contest.of(result)
    fits = -result.errors.copy()
    fits[np.arange(300), result.y] = -np.inf
    assert np.array_equal(contest.rivals, np.argsort(-fits, axis=1)[:, :8])
    assert np.array_equal(contest.hits, result.predictions() == result.y)
    assert np.allclose(contest.squares, result.squared_errors(), rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("unit", [1.0, 1e-25])
def test_few_classes_are_all_rivals_and_hits_are_exact(weighted, centred, unit):
    """Five classes: the four others are followed, whatever the alpha."""
    spectrum = spectrum_of(400, 5, weighted, centred, unit)
    contest = Contest.of(spectrum.leave_one_out(spectrum.eigenvalues.max()))
    alphas = spectrum.eigenvalues.max() * np.geomspace(1, 1e-6, 5)
    assert np.array_equal(contest.hits_at(spectrum, alphas), spectrum.scan(alphas).correct)


def test_a_decade_away_the_rivals_still_decide():
    spectrum = spectrum_of(3000, 300)
    alphas = spectrum.eigenvalues.max() * np.geomspace(1e-2, 1e-4, 9)
    contest = Contest.of(spectrum.leave_one_out(alphas[4]))
    found, exact = contest.hits_at(spectrum, alphas), spectrum.scan(alphas).correct
    assert 0.1 < exact.mean() < 0.9
    # A row that wins against all classes wins against some of them.
    assert not (exact & ~found).any()
    assert np.array_equal(found[4], exact[4])
    # Far from the best alpha: accuracy goes from 17 to 31 % over these two decades.
    assert np.abs(found.mean(axis=1) - exact.mean(axis=1)).max() <= 0.002
