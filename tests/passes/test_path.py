import numpy as np
import pytest

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.passes.judge import Judged
from simplexcoding.passes.path import (
    SamplePath,
    generalised_cross_validation,
    judged_path,
    most_asked,
    sample_path,
    worth_asking,
)
from simplexcoding.rows import Rows
from simplexcoding.selection.path import Path
from simplexcoding.selection.scoring import SCORINGS
from simplexcoding.selection.search import search_all

rng = np.random.default_rng(0)
y = rng.integers(4, size=300)
X = rng.normal(size=(4, 5))[y] * 0.7 + rng.normal(size=(300, 5)) + 2
w = rng.uniform(0.5, 2, 300)
alphas = np.geomspace(1e4, 1e-3, 40)


@pytest.mark.parametrize("centred", [True, False])
def test_squared_errors_come_from_the_moments_alone(centred):
    targets = Rows.labelled(y, 4, w)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets, centred))
    expected = []
    for alpha in alphas:
        # Slack one: training errors, as they are before any row is left out.
        errors = spectrum._errors(alpha)
        errors -= errors.mean(axis=1, keepdims=True)
        freedom = spectrum.effective_dimension(np.array([alpha]))[0] + centred
        mean = w @ np.square(errors).sum(axis=1) / w.sum() * 4 / 3
        expected.append(mean / (1 - freedom / w.sum()) ** 2)
    assert np.allclose(generalised_cross_validation(spectrum, alphas), expected, rtol=1e-9)


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "neg_log_loss"])
def test_a_sample_of_all_rows_gives_the_path_of_all_rows(name):
    targets = Rows.labelled(y, 4, w)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    scoring = SCORINGS[name](targets)
    found = sample_path(spectrum, alphas, scoring)
    asked = found.places
    assert len(asked) == 11
    exact = search_all(spectrum, alphas[asked], scoring).score
    assert np.allclose(found.path.score[asked], exact)
    assert not found.path.exact.any()
    few = sample_path(spectrum, alphas[:7], scoring)
    assert np.allclose(few.path.score, search_all(spectrum, alphas[:7], scoring).score)


def drawn_path(n_rows):
    """Hits of rows that come and go along 40 alphas, asked at every fourth; best at place 20."""
    places = np.append(np.arange(0, 40, 4), 39)
    wrong = np.abs(places - 20) / 40
    luck = np.random.default_rng(0).permutation(n_rows) / n_rows
    correct = luck > wrong[:, None]
    score = np.interp(np.arange(40), places, correct.mean(axis=1))
    none = np.zeros(40, dtype=bool)
    return SamplePath(Path(alphas, score, 1 - score, score, none), places, correct, np.ones(n_rows))


def test_the_alphas_worth_asking_hold_the_best_and_what_it_cannot_be_told_from():
    # One step of four places loses a tenth of the rows: 3 standard errors of 40 rows, not of 4000.
    assert worth_asking(drawn_path(4000), 16) == list(range(16, 25))
    assert worth_asking(drawn_path(40), 38) == list(range(8, 33))
    asked = worth_asking(drawn_path(40), 5)
    assert len(asked) == 5
    assert (asked[0], asked[-1]) == (8, 32)
    assert 20 in asked
    assert worth_asking(drawn_path(40), 40) == list(range(40))


def test_dense_rows_are_asked_more_than_sparse_ones_and_both_within_bounds():
    assert most_asked(768, 1000, sparse=False) == 16
    assert most_asked(512, 100, sparse=False) == 48
    assert 4 <= most_asked(1024, 145, sparse=True) <= 12
    assert most_asked(100, 10**6, sparse=True) == 4
    assert most_asked(8192, 20, sparse=True) == 4


def test_what_all_rows_said_replaces_and_shifts_what_the_sample_said():
    cheap = Path(alphas, np.zeros(40), np.ones(40), np.zeros(40), np.zeros(40, dtype=bool))
    hits = np.array([[6.0, 2.0], [9.0, 1.0]])
    judged = Judged(12, hits, np.array([10.0, 2.0]), np.array([6.0, 12.0]))
    path = judged_path(cheap, [10, 20], judged, SCORINGS["accuracy"](None))
    assert np.allclose(path.score[[0, 10, 15, 20, 39]], np.array([8, 8, 9, 10, 10]) / 12)
    assert np.allclose(path.squared_error[[10, 20]], [0.5, 1.0])
    assert np.flatnonzero(path.exact).tolist() == [10, 20]
    assert path.best == 20
