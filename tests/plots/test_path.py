from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_iris

from reference.wrapped import pipeline, search
from simplexcoding import SimplexRidgeClassifier, SimplexSGDClassifier, SimplexSVC
from simplexcoding.fitted import final_model
from simplexcoding.plots import PathDisplay

matplotlib.use("Agg")
X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    ("scoring", "label"),
    [
        ("accuracy", "left-out error (%)"),
        ("neg_mean_squared_error", "left-out mean squared error"),
        ("f1_macro", "left-out f1 macro"),
    ],
)
def test_draws_the_error_and_marks_the_choice(scoring, label):
    model = SimplexRidgeClassifier("rbf", scoring=scoring).fit(X, y)
    display = PathDisplay.from_estimator(model)
    assert display.ax_.get_ylabel() == label
    marked = display.ax_.get_lines()[-1]
    assert marked.get_xdata() == model.alpha_
    if scoring == "accuracy":
        assert marked.get_ydata() == pytest.approx(100 * (1 - model.best_score_))
    drawn = display.dimension_ax_.get_lines()[0].get_ydata()
    assert np.allclose(drawn, model.path_.effective_dimension[0])


@pytest.mark.parametrize(
    ("model", "label"),
    [
        (SimplexRidgeClassifier("rbf", calibration="vector"), "left-out log loss"),
        (SimplexSVC(C=[0.1, 1.0], calibration="vector"), "left-out error (%)"),
    ],
)
def test_what_chose_without_a_scoring_is_named(model, label):
    model.fit(X, y)
    display = PathDisplay.from_estimator(model)
    assert display.ax_.get_ylabel() == label
    chosen = model.best_score_
    shown = -chosen if "loss" in label else 100 * (1 - chosen)
    assert display.ax_.get_lines()[-1].get_ydata() == pytest.approx(shown)


def test_a_dimension_that_is_not_known_is_not_drawn():
    path = SimplexRidgeClassifier("rbf").fit(X, y).path_
    known = np.arange(100) % 30 == 0
    dimension = np.where(known, path.effective_dimension, np.nan)
    display = PathDisplay(replace(path, effective_dimension=dimension), "accuracy").plot()
    drawn = display.dimension_ax_.get_lines()[0]
    assert np.array_equal(drawn.get_ydata(), path.effective_dimension[0, known])
    assert drawn.get_marker() == "s"


@pytest.mark.parametrize("wrap", [pipeline, search])
def test_a_model_behind_a_scaler_is_found(wrap):
    model = wrap(SimplexRidgeClassifier("rbf")).fit(X, y)
    inner = final_model(model, "path_")
    assert PathDisplay.from_estimator(model).path is inner.path_


def test_the_legend_covers_no_curve():
    display = PathDisplay.from_estimator(SimplexRidgeClassifier("rbf").fit(X, y))
    display.figure_.canvas.draw()
    legend = display.ax_.get_legend().get_window_extent()
    assert not legend.overlaps(display.ax_.get_window_extent())


def test_an_unfitted_estimator_is_named():
    with pytest.raises(ValueError, match="no path_ yet: call fit first"):
        PathDisplay.from_estimator(SimplexRidgeClassifier(kernel="linear"))


@pytest.mark.parametrize(
    ("model", "parameter"),
    [
        (SimplexSVC(C=[0.1, 1.0, 10.0]), "C"),
        (SimplexSGDClassifier(alpha=[1e-4, 1e-2], random_state=0), "alpha"),
    ],
)
def test_every_estimator_that_chooses_has_a_path(model, parameter):
    X, y = load_iris(return_X_y=True)
    model.fit(X, y)
    display = PathDisplay.from_estimator(model)
    assert display.ax_.get_xlabel() == parameter
    assert display.dimension_ax_ is None
    assert model.best_score_ == model.path_.score.max()
    single = model.set_params(**{parameter: 1.0}).fit(X, y)
    assert not hasattr(single, "best_score_")
    with pytest.raises(ValueError, match="has no path: fit it with several values"):
        PathDisplay.from_estimator(single)
