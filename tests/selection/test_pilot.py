import numpy as np

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.rows import Rows
from simplexcoding.selection import pilot
from simplexcoding.selection.scoring import SCORINGS
from simplexcoding.selection.search import search_all


def test_a_pilot_on_some_rows_is_near_the_whole_path():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 20))
    y = (X[:, :6] + rng.normal(size=(3000, 6))).argmax(axis=1)
    targets = Rows.labelled(y, 6)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    scoring = SCORINGS["accuracy"](targets)
    alphas = np.geomspace(1e5, 1e-2, 100)
    cheap = pilot.row_pilot(spectrum, alphas, scoring)
    whole = search_all(spectrum, alphas, scoring)
    assert np.abs(cheap.score - whole.score).max() < 0.05
    assert np.allclose(cheap.effective_dimension, whole.effective_dimension, rtol=1e-12)
