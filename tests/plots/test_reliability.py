import matplotlib
import numpy as np
import pytest
from sklearn.datasets import load_iris

from simplexcoding import SimplexRidgeClassifier
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
    model = SimplexRidgeClassifier(calibration=calibration).fit(X, names)
    display = ReliabilityDisplay.from_estimator(model, names, n_bins=1)
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


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="no loo_scores_ yet: call fit first"):
        ReliabilityDisplay.from_estimator(SimplexRidgeClassifier(), y)
    model = SimplexRidgeClassifier(alphas=1.0).fit(X, y)
    with pytest.raises(ValueError, match="got 149, 0 of them unknown"):
        ReliabilityDisplay.from_estimator(model, y[1:])
    with pytest.raises(ValueError, match="got 150, 50 of them unknown"):
        ReliabilityDisplay.from_estimator(model, np.where(y == 2, 7, y))
    with pytest.raises(ValueError, match="one label for each of the 2 rows"):
        ReliabilityDisplay.from_predictions(np.zeros(3, dtype=int), np.full((2, 2), 0.5))
