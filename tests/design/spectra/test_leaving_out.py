import numpy as np

from simplexcoding.design import Folds, LeaveOneOut
from simplexcoding.design.spectra.leaving_out import LeftOutRows


def test_predictions_are_targets_less_errors_over_slack():
    rng = np.random.default_rng(0)
    E, g, y = rng.normal(size=(50, 4)), rng.uniform(0.1, 1, 50), rng.integers(4, size=50)
    one_hot = np.eye(4)[y] - E / g[:, None]
    result = LeaveOneOut(E, g, y)
    assert np.allclose(result.scores(), 4 / 3 * (one_hot - one_hot.mean(axis=1, keepdims=True)))
    assert np.array_equal(result.predictions(), one_hot.argmax(axis=1))
    assert np.array_equal(result.predictions(), result.scores().argmax(axis=1))


def test_scores_may_take_the_place_of_the_errors():
    rng = np.random.default_rng(1)
    E, g, y = rng.normal(size=(50, 4)), rng.uniform(0.1, 1, 50), rng.integers(4, size=50)
    expected, kept = LeaveOneOut(E, g, y).scores(), E.copy()
    assert np.array_equal(E, kept)
    found = LeaveOneOut(E, g, y).scores(overwrite=True)
    assert found is E and np.array_equal(found, expected)


def test_squared_errors_do_not_depend_on_the_unit():
    rng = np.random.default_rng(2)
    E, g, y = rng.normal(size=(50, 4)), rng.uniform(0.1, 1, 50), rng.integers(4, size=50)
    expected = LeaveOneOut(E, g, y).squared_errors()
    for unit, dtype in ((1e-30, np.float32), (1e-300, np.float64)):
        E_unit, g_unit = (unit * E).astype(dtype), (unit * g).astype(dtype)
        found = LeaveOneOut(E_unit, g_unit, y).squared_errors()
        assert np.allclose(found, expected, rtol=1e-4)


folds = Folds((np.array([0, 2]), np.array([2, 3])), 5)


def test_rows_are_counted_by_how_often_they_leave():
    assert folds.times.tolist() == [1, 0, 2, 1, 0]
    assert folds.covered.tolist() == [True, False, True, True, False]


def test_a_row_has_the_mean_of_its_predictions_and_nan_if_it_never_leaves():
    y = np.array([0, 1, 0, 1, 0])
    found = folds.left_out(y, 2, lambda fold: np.full((len(fold), 2), float(fold[0])))
    assert np.array_equal(found.errors[:, 0], [0, np.nan, 1, 2, np.nan], equal_nan=True)
    assert found.take(folds.covered).y.tolist() == [0, 0, 1]


def test_folds_lose_the_rows_that_are_forgotten():
    left = folds.without(np.array([False, True, False, True, True]))
    assert [fold.tolist() for fold in left.folds] == [[1]]
    assert left.n_rows == 3


def test_rows_say_which_scores_are_theirs():
    scores = np.arange(8.0).reshape(4, 2)
    every = LeftOutRows(np.zeros(4, dtype=int), None, None)
    assert every.of(scores) is scores
    some = LeftOutRows(np.zeros(2, dtype=int), None, np.array([True, False, False, True]))
    assert some.of(scores).tolist() == [[0, 1], [6, 7]]
