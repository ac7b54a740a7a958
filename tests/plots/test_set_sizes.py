import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_digits

from reference.wrapped import pipeline, search
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.inference import prediction_sets
from simplexcoding.plots import SetSizeDisplay

matplotlib.use("Agg")
X, y = load_digits(return_X_y=True)
X = X[:, 2::3]


@pytest.mark.parametrize("n_classes", [2, 10])
@pytest.mark.parametrize("class_conditional", [False, True])
def test_draws_the_sizes_and_the_coverage_of_the_estimators_sets(n_classes, class_conditional):
    few = y < n_classes
    model = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X[few][::2], y[few][::2])
    new, labels = X[few][1::2], y[few][1::2]
    targets = [0.7, 0.9, 0.95]
    display = SetSizeDisplay.from_estimator(
        model, new, labels, targets=targets, class_conditional=class_conditional
    )
    sets = [model.predict_set(new, target, class_conditional) for target in targets]
    size, coverage = display.ax_.get_lines()[0], display.coverage_ax_.get_lines()[1]
    assert size.get_xdata() == pytest.approx(targets)
    assert size.get_ydata() == pytest.approx([s.sum() / len(new) for s in sets])
    hits = [s[np.arange(len(new)), labels].mean() for s in sets]
    assert coverage.get_ydata() == pytest.approx(hits)
    assert display.n_classes == n_classes


@pytest.mark.parametrize("wrap", [pipeline, search])
def test_a_model_behind_a_scaler_is_found(wrap):
    few = y < 3
    model = wrap(SimplexRidgeClassifier(kernel="linear", alphas=1.0)).fit(X[few][::2], y[few][::2])
    new, labels = X[few][1::2], y[few][1::2]
    display = SetSizeDisplay.from_estimator(model, new, labels, targets=[0.99])
    sets = prediction_sets(model, new, 0.99)
    assert display.size == pytest.approx([sets.sum() / len(new)])
    assert display.coverage == pytest.approx([sets[np.arange(len(new)), labels].mean()])


def test_the_axes_given_are_used():
    figure, ax = matplotlib.pyplot.subplots()
    display = SetSizeDisplay(np.array([0.8, 0.9]), np.array([1.0, 1.5]), np.array([0.8, 0.9]), 3)
    assert display.plot(ax=ax).ax_ is ax and display.figure_ is figure
    names = [text.get_text() for text in display.coverage_ax_.get_legend().get_texts()]
    assert names == ["average size", "coverage", "asked for"]


def test_an_unfitted_estimator_is_named():
    with pytest.raises(ValueError, match="no left_out_scores_ yet: call fit first"):
        SetSizeDisplay.from_estimator(SimplexRidgeClassifier(kernel="linear"), X, y)
