import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_iris

from reference.wrapped import pipeline, search
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.fitted import final_model
from simplexcoding.plots import ReliabilityDisplay

matplotlib.use("Agg")
X, y = load_iris(return_X_y=True)


def test_bins_hold_equally_many_rows_in_order_of_confidence():
    rng = np.random.default_rng(0)
    P = rng.dirichlet(np.ones(3), size=205)
    labels = rng.integers(3, size=205)
    display = ReliabilityDisplay.from_predictions(labels, P, n_bins=10)
    order = np.argsort(P.max(axis=1))
    assert display.counts.sum() == 205 and np.ptp(display.counts) <= 1
    first = order[: display.counts[0]]
    assert display.confidence[0] == pytest.approx(P[first].max(axis=1).mean())
    assert display.accuracy[0] == pytest.approx((P[first].argmax(axis=1) == labels[first]).mean())


def test_calibration_error_is_the_mean_gap():
    display = ReliabilityDisplay(np.array([0.5, 0.9]), np.array([0.6, 0.8]), np.array([30, 10]))
    assert display.calibration_error == pytest.approx(0.1)
    uneven = ReliabilityDisplay(np.array([0.5, 0.9]), np.array([0.5, 0.5]), np.array([30, 10]))
    assert uneven.calibration_error == pytest.approx(0.1)


@pytest.mark.parametrize("calibration", ["temperature", "vector", "none"])
def test_an_estimator_is_drawn_by_its_own_calibration(calibration):
    names = np.array(["b", "c", "a"])[y]
    model = SimplexRidgeClassifier(kernel="linear", calibration=calibration).fit(X, names)
    display = ReliabilityDisplay.from_left_out(model, names, n_bins=1)
    P = model.calibration_.probabilities(model.loo_scores_)
    assert display.confidence[0] == pytest.approx(P.max(axis=1).mean())
    right = model.classes_[P.argmax(axis=1)] == names
    assert display.accuracy[0] == pytest.approx(right.mean())
    drawn = display.ax_.containers[0].lines[0]
    assert drawn.get_ydata() == pytest.approx(display.accuracy)
    assert f"{display.calibration_error:.3f}" in display.ax_.get_legend().get_texts()[-1].get_text()


def test_error_bars_stay_within_zero_and_one():
    display = ReliabilityDisplay(np.array([0.6, 0.9]), np.array([0.0, 1.0]), np.array([3, 3]))
    segments = display.plot().ax_.containers[0].lines[2][0].get_segments()
    ends = np.concatenate(segments)[:, 1]
    assert ends.min() >= 0 and ends.max() <= 1 and np.ptp(segments[0][:, 1]) > 0.1


def test_error_bars_stay_within_the_frame():
    # Five rows: the spread of their accuracy reaches far below it.
    display = ReliabilityDisplay(np.array([0.9, 1.0]), np.array([0.8, 1.0]), np.array([5, 500]))
    display.plot()
    (bars,) = display.ax_.containers[0].lines[2]
    lowest = min(segment[:, 1].min() for segment in bars.get_segments())
    assert lowest < 0.6 and display.ax_.get_ylim()[0] < lowest


@pytest.mark.parametrize(
    "wrap", [lambda m: m, pipeline, search], ids=["model", "pipeline", "search"]
)
def test_new_rows_are_drawn_by_predict_proba_of_what_was_fitted(wrap):
    names = np.array(["b", "c", "a"])[y]
    model = wrap(SimplexRidgeClassifier(kernel="linear")).fit(X[::2], names[::2])
    display = ReliabilityDisplay.from_estimator(model, X[1::2], names[1::2], n_bins=1)
    right = model.predict(X[1::2]) == names[1::2]
    assert display.accuracy[0] == pytest.approx(right.mean())
    assert display.confidence[0] == pytest.approx(model.predict_proba(X[1::2]).max(axis=1).mean())
    left_out = ReliabilityDisplay.from_left_out(model, names[::2], n_bins=1)
    inner = final_model(model, "loo_scores_")
    own = inner.classes_[inner.loo_scores_.argmax(axis=1)] == names[::2]
    assert left_out.counts.tolist() == [75] and left_out.accuracy == pytest.approx([own.mean()])


def test_labels_are_found_in_their_columns():
    P = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.3, 0.6], [0.5, 0.4, 0.1]])
    truth = np.array([0, 1, 2, 1])
    names = np.array(["cat", "dog", "eel"])
    for labels, classes in (
        (truth, None),
        (names[truth], None),
        (names[truth].tolist(), names),
        (truth + 10, None),
        (truth[[0]], None),
    ):
        display = ReliabilityDisplay.from_predictions(
            labels, P[: len(labels)], classes=classes, n_bins=1
        )
        assert display.accuracy[0] == (0.75 if len(labels) == 4 else 1.0)
    with pytest.raises(
        ValueError, match=r"classes must name the 3 columns .* got 2; give classes="
    ):
        ReliabilityDisplay.from_predictions(names[truth[:2]], P[:2])
    with pytest.raises(ValueError, match=r"got .*'fox'.*, which is none of them"):
        ReliabilityDisplay.from_predictions(np.array(["fox"] * 4), P, classes=names)


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="no left_out_scores_ yet: call fit first"):
        ReliabilityDisplay.from_left_out(SimplexRidgeClassifier(kernel="linear"), y)
    model = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"y must hold the 150 labels .* got 149"):
        ReliabilityDisplay.from_left_out(model, y[1:])
    with pytest.raises(ValueError, match=r"got .*7.*, which is none of them"):
        ReliabilityDisplay.from_left_out(model, np.where(y == 2, 7, y))
    with pytest.raises(ValueError, match="one label for each of the 2 rows"):
        ReliabilityDisplay.from_predictions(np.zeros(3, dtype=int), np.full((2, 2), 0.5))


def test_the_legend_is_whole_and_covers_no_curve():
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    display = ReliabilityDisplay.from_left_out(model, y)
    display.figure_.draw_without_rendering()
    legend = display.ax_.get_legend().get_window_extent()
    assert not legend.overlaps(display.ax_.get_window_extent())
    assert legend.x0 >= 0 and legend.x1 <= display.figure_.bbox.x1
