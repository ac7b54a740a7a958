import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting import (
    CoordinateMethod,
    GradientMethod,
    NewtonMethod,
    Settings,
    Shape,
    check_method,
)
from simplexcoding.solvers.boosting.regressors import RegressorMethod

ROWS = Rows(
    np.random.default_rng(0).normal(size=(20, 3)), np.arange(20) % 4, 4, np.linspace(1, 2, 20)
)


def settings(method, regressor=None):
    return Settings(
        "logistic", method, 0.5, Shape(2), 3, 6, 8, False, True, regressor, 0
    )  # fmt: skip


@pytest.mark.parametrize(
    ("method", "kind"),
    [("newton", NewtonMethod), ("gradient", GradientMethod), ("coordinate", CoordinateMethod)],
)
def test_some_rows_are_in_the_bins_of_all(method, kind):
    binned = settings(method).binned(ROWS, np.zeros(3, dtype=bool))
    make = settings(method).method_for(binned)
    whole, some = make(ROWS, slice(None)), make(ROWS.take(slice(0, 20, 2)), slice(0, 20, 2))
    assert type(some) is kind
    assert np.array_equal(some.binned.codes, whole.binned.codes[:, ::2])
    assert some.binned.edges is whole.binned.edges
    assert np.array_equal(some.problem.y, ROWS.y[::2])
    assert some.problem.weights.sum() == pytest.approx(1.0)
    if kind is NewtonMethod:
        assert whole.mass == pytest.approx(30.0)


def test_a_regressor_takes_the_place_of_trees():
    given = settings("gradient", DecisionTreeRegressor())
    assert given.binned(ROWS, np.zeros(3, dtype=bool)) is None
    make = given.method_for(None)
    assert type(make(ROWS, slice(None))) is RegressorMethod


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gradient", "cone"), "loss must be one of exponential, logistic; got 'cone'"),
        (("newton", "exponential"), "loss='exponential' has no method=\"newton\""),
        (("newton", "logistic", DecisionTreeRegressor()), 'estimator has no method="newton"'),
    ],
)
def test_what_does_not_go_together_is_named(arguments, words):
    check_method("newton", "logistic")
    check_method("gradient", "exponential", DecisionTreeRegressor())
    with pytest.raises(ValueError, match=words):
        check_method(*arguments)
