import numpy as np

from simplexcoding.design import Folds

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
