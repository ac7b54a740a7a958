import numpy as np
import pytest

from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.rows import Rows
from simplexcoding.selection.path import Path
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import SCORINGS
from simplexcoding.selection.search import search_all, search_few
from simplexcoding.selection.search_by_rivals import search_around, search_rivals


def problem(seed, weighted=False):
    rng = np.random.default_rng(seed)
    y = rng.integers(200, size=1600)
    X = rng.normal(size=(200, 40))[y] + 0.5 * rng.normal(size=(1600, 40))
    X *= np.logspace(0, -2, 40)
    targets = Rows.labelled(y, 200, rng.integers(1, 3, 1600).astype(float) if weighted else None)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    return spectrum, spectrum.eigenvalues.max() * np.geomspace(1, 1e-8, 100)


@pytest.mark.parametrize("kind", ["accuracy", "balanced_accuracy"])
@pytest.mark.parametrize("seed", range(3))
def test_the_path_is_right_within_a_decade_of_the_choice(seed, kind):
    spectrum, alphas = problem(seed, weighted=seed == 1)
    scoring = SCORINGS[kind](spectrum.targets)
    whole = search_all(spectrum, alphas, scoring)
    few = search_rivals(spectrum, row_pilot(spectrum, alphas, scoring), scoring)
    assert 1 <= few.exact.sum() <= 4
    assert np.allclose(few.score[few.exact], whole.score[few.exact], rtol=1e-12)
    assert np.allclose(few.squared_error[few.exact], whole.squared_error[few.exact], rtol=1e-6)
    near = np.abs(np.log10(alphas / alphas[few.best])) <= 1
    assert np.abs(few.score - whole.score)[near].max() <= 0.002
    assert few.best_score >= whole.score[near].max() - 0.0015
    assert np.allclose(few.effective_dimension, whole.effective_dimension, rtol=1e-12)


def test_a_pilot_that_errs_costs_questions_not_accuracy():
    spectrum, alphas = problem(0)
    scoring = SCORINGS["accuracy"](spectrum.targets)
    whole = search_all(spectrum, alphas, scoring)
    wrong = np.where(np.arange(100) == whole.best - 20, 1.0, 0.0)
    pilot = Path(alphas, wrong, np.ones(100), np.ones(100), np.ones(100, dtype=bool))
    few = search_rivals(spectrum, pilot, scoring)
    assert few.exact[whole.best - 20] and few.exact.sum() > 1
    assert few.best_score >= whole.best_score - 0.001


def test_the_choice_is_kept_for_whoever_asks_next():
    spectrum, alphas = problem(0)
    scoring = SCORINGS["accuracy"](spectrum.targets)
    few = search_rivals(spectrum, row_pilot(spectrum, alphas, scoring), scoring)
    alpha = float(alphas[few.best])
    assert spectrum._kept is not None and spectrum._kept[0] == alpha
    assert spectrum.sample(np.arange(5))._kept is None
    kept, again = spectrum.leave_one_out(alpha), spectrum.leave_one_out(alpha)
    assert kept is not again and np.array_equal(kept.errors, again.errors)


def test_scores_that_hits_do_not_decide_are_searched_as_before():
    spectrum, alphas = problem(0)
    scoring = SCORINGS["neg_mean_squared_error"](spectrum.targets)
    pilot = row_pilot(spectrum, alphas, scoring)
    assert np.array_equal(
        search_around(spectrum, pilot, scoring).exact, search_few(spectrum, pilot, scoring).exact
    )
