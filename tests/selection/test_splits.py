import numpy as np
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    TimeSeriesSplit,
)

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.selection.splits import make_folds

X, labels = np.random.default_rng(0).normal(size=(12, 3)), np.arange(12) % 3


def split(*test, n=12):
    return np.setdiff1d(np.arange(n), test), np.array(test)


def test_numbers_splitters_lists_and_masks_give_folds():
    assert sorted(np.concatenate(make_folds(3, X, labels).folds)) == list(range(12))
    listed = make_folds(list(KFold(4).split(X)), X, labels)
    assert [fold.tolist() for fold in listed.folds] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [9, 10, 11],
    ]
    mask = np.arange(12) < 2
    assert make_folds([(~mask, mask)], X, labels).folds[0].tolist() == [0, 1]
    assert make_folds(ShuffleSplit(2, test_size=3, random_state=0), X, labels).times.sum() == 6


def test_given_splits_are_in_the_numbering_of_the_caller():
    kept = np.ones(14, dtype=bool)
    kept[[0, 5]] = False
    folds = make_folds([split(0, 1, 6, n=14)], X, labels, kept=kept)
    assert folds.folds[0].tolist() == [0, 4]
    assert folds.n_rows == 12


def used_up():
    splits = (pair for pair in [split(0)])
    list(splits)
    return splits


@pytest.mark.parametrize(
    ("cv", "words"),
    [
        (lambda: [], "cv holds no split"),
        (used_up, "a generator is used up by its first fit"),
        (lambda: [split(0), split()], "leaves out no row in split 1"),
        (lambda: [split(*range(12))], "leaves out all 12 rows in split 0"),
        (lambda: [(np.arange(2, 12), [0, 1, 1])], "a row twice in split 0"),
        (lambda: [(np.arange(1, 12), [-1])], "holds row -1 in split 0, outside 0..11"),
        (lambda: [(np.arange(1, 12), [12])], "holds row 12 in split 0, outside 0..11"),
        (lambda: [(np.arange(1, 12), [0.5])], "must hold row numbers, got"),
        (lambda: [3], "cv must hold pairs .train, test., got 3 as split 0"),
        (lambda: [split(0), (np.arange(12),)], "must hold pairs"),
        (lambda: TimeSeriesSplit(3), "into 3 and 3 in split 0; the exact formula fits all rows"),
        (lambda: [(np.arange(11), [0])], "into 11 and 1 in split 0"),
    ],
)
def test_bad_splits_are_named_before_any_work(cv, words):
    with pytest.raises(ValueError, match=words) as caught:
        SimplexRidgeClassifier(kernel="linear", cv=cv()).fit(X, labels)
    assert "\n" not in str(caught.value)


def test_splits_of_the_wrong_kind_are_named_in_one_line():
    y = np.arange(150) % 3
    rows = np.arange(150)
    for cv, words in [
        ([(rows[50:], rows[:50], rows[:50])], "pairs (train, test), got 3 parts as split 0"),
        ([(np.ones((30, 2)), rows[:50])], "row numbers, got an array of shape (30, 2) in split 0"),
        (GroupKFold(3), "cv=GroupKFold("),
        (LeaveOneGroupOut(), "splits by groups and got none; give them: fit(X, y, groups=...)"),
    ]:
        with pytest.raises(ValueError) as caught:
            make_folds(cv, np.zeros((150, 2)), y)
        assert words in str(caught.value) and "\n" not in str(caught.value)
