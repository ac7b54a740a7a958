import numpy as np
import pytest
from sklearn.datasets import load_digits

from simplexcoding.design import (
    CholeskySpectrum,
    FeatureSpectrum,
    Folds,
    GramSpectrum,
    Moments,
    WeightedKernel,
)
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.selection.path import Path
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import SCORINGS
from simplexcoding.selection.search import search_all, search_few


def path(score, error, exact):
    k = len(score)
    return Path(
        np.geomspace(1, 1e-3, k), np.array(score), np.array(error), np.ones(k), np.array(exact)
    )


def test_ties_go_to_the_lower_squared_error():
    assert path([0.5, 0.9, 0.9, 0.9], [1, 3, 2, 4.0], [True] * 4).best == 2
    assert path([0.9, 0.9 + 1e-9], [1.0, 2.0], [True] * 2).best == 0


def test_only_exact_values_are_chosen():
    assert path([0.5, 0.99, 0.6], [1, 1, 1.0], [True, False, True]).best == 2


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    targets = Rows.labelled(y[:700], 10)
    kernel = WeightedKernel.of(Kernel("rbf", 1e-3).matrix(X[:700]), targets, True)
    return kernel, SCORINGS["accuracy"](targets)


@pytest.mark.parametrize("kind", ["accuracy", "neg_mean_squared_error"])
def test_asking_a_few_alphas_finds_what_asking_all_finds(digits, kind):
    kernel, _ = digits
    scoring = SCORINGS[kind](kernel.targets)
    alphas = np.geomspace(500, 1e-5, 100)
    whole = search_all(GramSpectrum(kernel), alphas, scoring)
    few = search_few(
        CholeskySpectrum(kernel),
        row_pilot(CholeskySpectrum(kernel).stand_in(100), alphas, scoring, stands_in=True),
        scoring,
    )
    assert few.exact.sum() <= 8
    assert np.allclose(few.score[few.exact], whole.score[few.exact], atol=1e-9)
    assert np.allclose(few.effective_dimension[few.exact], whole.effective_dimension[few.exact])
    assert np.isnan(few.effective_dimension[~few.exact]).all()
    assert few.score[few.best] >= whole.score[whole.best] - 0.005
    near = np.abs(np.log10(alphas / alphas[few.best])) <= 1
    assert np.abs(few.score - whole.score)[near].max() < 0.003


@pytest.mark.parametrize("seed", range(3))
def test_a_linear_path_holds_two_tenths_of_a_point_within_a_decade_of_the_choice(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(500, size=2600)
    X = rng.normal(size=(500, 40))[y] + 0.5 * rng.normal(size=(2600, 40))
    X *= np.logspace(0, -2, 40)
    targets = Rows.labelled(y, 500)
    spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
    scoring = SCORINGS["accuracy"](targets)
    alphas = spectrum.eigenvalues.max() * np.geomspace(1, 1e-8, 100)
    whole = search_all(spectrum, alphas, scoring)
    few = search_few(spectrum, row_pilot(spectrum, alphas, scoring), scoring)
    assert few.exact.sum() <= 8
    assert np.array_equal(few.score[few.exact], whole.score[few.exact])
    near = np.abs(np.log10(alphas / alphas[few.best])) <= 1
    assert np.abs(few.score - whole.score)[near].max() <= 0.002
    assert np.allclose(few.effective_dimension, whole.effective_dimension, rtol=1e-12)


def test_predictions_go_on_a_little_beyond_the_alphas_asked():
    # Noisy labels bend the curve within the path; a pilot of zeros knows only its best place.
    X, y = load_digits(return_X_y=True)
    noisy = np.where(np.random.default_rng(0).random(700) < 0.4, np.roll(y[:700], 1), y[:700])
    targets = Rows.labelled(noisy, 10)
    kernel = WeightedKernel.of(Kernel("rbf", 1e-3).matrix(X[:700]), targets, True)
    scoring = SCORINGS["neg_mean_squared_error"](targets)
    alphas = np.geomspace(500, 1e-5, 100)
    whole = search_all(GramSpectrum(kernel), alphas, scoring)
    error = np.where(np.arange(100) == whole.best, 0.0, 1.0)
    pilot = Path(alphas, np.zeros(100), error, np.ones(100), np.ones(100, dtype=bool))
    few = search_few(CholeskySpectrum(kernel), pilot, scoring)
    for edge, sign in [(few.exact.argmax(), 1), (99 - few.exact[::-1].argmax(), -1)]:
        decades = sign * np.log10(alphas / alphas[edge])
        near, far = (decades > 0) & (decades <= 0.3), decades > 0.3
        held = np.abs(whole.score[edge] - whole.score)[near].max()
        assert np.abs(few.score - whole.score)[near].max() < 0.5 * held
        assert np.allclose(few.score[far], whole.score[edge], atol=1e-9)


def test_a_pilot_that_errs_costs_time_not_accuracy(digits):
    kernel, scoring = digits
    alphas = np.geomspace(500, 1e-5, 100)
    whole = search_all(GramSpectrum(kernel), alphas, scoring)
    misled = path(np.linspace(1, 0, 100), np.ones(100), [True] * 100)
    misled = Path(
        alphas, misled.score, misled.squared_error, misled.effective_dimension, misled.exact
    )
    few = search_few(CholeskySpectrum(kernel), misled, scoring)
    assert few.score[few.best] >= whole.score[whole.best] - 0.005


def test_what_is_asked_roughly_is_interpolated_from_and_never_chosen(digits):
    kernel, scoring = digits
    single = WeightedKernel.of(kernel.matrix.astype(np.float32), kernel.targets, True)
    spectrum = CholeskySpectrum(single)
    alphas = float(spectrum.eigenvalues[-1]) * np.geomspace(1, 1e-8, 100)
    # Little above the alpha below which single precision is rough.
    place = int(np.searchsorted(-alphas, -6e-6 * alphas[0]))
    score = -np.abs(np.arange(100) - place) / 100
    pilot = Path(alphas, score, np.ones(100), np.full(100, np.nan), np.ones(100, dtype=bool))
    few = search_few(spectrum, pilot, scoring)
    whole = search_all(GramSpectrum(kernel), alphas, scoring)
    assert spectrum._rough and not spectrum._results.keys() & spectrum._rough.keys()
    assert not few.exact[np.isin(alphas, [*spectrum._rough])].any()
    assert few.exact[few.best]
    near = np.abs(np.log10(alphas / alphas[few.best])) <= 1
    assert np.abs(few.score - whole.score)[near].max() < 0.003


def test_folds_are_scored_by_the_model_without_them(digits):
    kernel, scoring = digits
    order = np.random.default_rng(0).permutation(700)
    folds = Folds(tuple(np.array_split(order[:600], 5)), 700)
    spectrum = GramSpectrum(kernel)
    found = search_all(spectrum, np.array([1.0, 0.1]), scoring, folds)
    for k, alpha in enumerate([1.0, 0.1]):
        hits = spectrum.leave_out(folds, alpha).predictions() == kernel.targets.y
        # The last hundred rows leave with no fold: they do not count.
        assert found.score[k] == pytest.approx(hits[order[:600]].mean())
