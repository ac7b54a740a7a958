"""The compiled tree: rows side by side, gains and missing values."""

import numpy as np
import pytest

from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.growth import Shape, grow, table


def data(n=3000, p=20, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    X[rng.random((n, p)) < 0.1] = np.nan
    X[:, 3] = rng.integers(6, size=n)
    targets = np.c_[np.sin(3 * X[:, 0]), np.isnan(X[:, 1]), np.isin(X[:, 3], [1, 4])]
    targets = np.nan_to_num(targets) + 0.1 * rng.normal(size=(n, 3))
    categorical = np.arange(p) == 3
    return X, BinnedRows.from_data(X, categorical=categorical), table(targets, np.ones(n))


@pytest.mark.parametrize("depth", [1, 4])
def test_rows_of_a_leaf_stand_side_by_side_and_walk_there(depth):
    X, binned, rows = data()
    splits = grow(binned, rows, 3, Shape(depth), np.arange(20))
    assert np.array_equal(np.sort(splits.members), np.arange(len(X)))
    for q in range(splits.n_leaves):
        part = splits.members[splits.begins[q] : splits.ends[q]]
        assert np.all(splits.leaf[part] == q)
    # The raw rows come to the same leaf: its number is what a tree of such values answers.
    F = np.zeros((len(X), 1))
    numbers = np.arange(splits.n_leaves, dtype=float)[:, None]
    splits.tree(numbers).add(X, F)
    assert np.array_equal(F[:, 0].astype(int), splits.leaf)
    assert (splits.set_of >= 0).sum() == len(splits.sets) > (depth == 1) - 1


def test_gains_add_up_to_the_fall_of_the_squared_error():
    _, binned, rows = data()
    splits = grow(binned, rows, 3, Shape(4), np.arange(20))
    targets = rows[:, :3]
    means = np.array([targets[splits.leaf == q].mean(axis=0) for q in range(splits.n_leaves)])
    fall = ((targets - targets.mean(axis=0)) ** 2).sum() - (
        (targets - means[splits.leaf]) ** 2
    ).sum()
    assert np.isclose(splits.gains.sum(), fall)


def test_values_never_missing_in_training_go_with_the_heavier_side():
    x = np.arange(10.0)[:, None]
    for cut, left in [(2, False), (7, True)]:
        rows = table(np.where(x > cut, 1.0, -1.0), np.ones(10))
        splits = grow(BinnedRows.from_data(x), rows, 1, Shape(1), np.array([0]))
        assert splits.missing_left.tolist() == [left]


def test_the_l2_term_holds_small_leaves_back():
    x = np.arange(20.0)[:, None]
    descent = np.r_[np.full(1, 3.0), np.full(9, -0.5), np.full(10, 0.4)][:, None]
    rows = table(descent, np.ones(20))
    first, second = (
        grow(BinnedRows.from_data(x), rows, 1, Shape(1, l2=l2), np.array([0])).thresholds[0]
        for l2 in (0.0, 50.0)
    )
    assert (first, second) == (0.5, 9.5)
