import matplotlib
import pytest
from sklearn.datasets import load_iris

from simplexcoding import SimplexSVC
from simplexcoding.plots import HoldoutPathDisplay

matplotlib.use("Agg")


def test_the_curve_is_the_path_and_the_mark_its_best():
    X, y = load_iris(return_X_y=True)
    model = SimplexSVC(C=[0.01, 1.0, 10.0]).fit(X, y)
    display = HoldoutPathDisplay.from_estimator(model)
    curve, mark = display.ax_.get_lines()
    assert curve.get_xydata()[:, 0].tolist() == [0.01, 1.0, 10.0]
    assert curve.get_xydata()[:, 1].tolist() == model.path_.score.tolist()
    assert mark.get_xdata()[0] == model.C_
    assert display.figure_ is display.ax_.figure


def test_a_model_without_a_path_is_named():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="SimplexSVC has no path_: fit it with C="):
        HoldoutPathDisplay.from_estimator(SimplexSVC(C=1.0).fit(X, y))
