"""The compiled sums against loops over raw thresholds."""

import numpy as np
import pytest

from reference import boosting as slow
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.greedy_tree import table
from simplexcoding.solvers.boosting.loops import tree_sums


@pytest.fixture(params=[1, 2, 5])
def rows(request):
    dim, n = request.param, 150
    rng = np.random.default_rng(dim)
    X = np.c_[rng.normal(size=(n, 2)), rng.integers(4, size=n)]
    weights = rng.exponential(size=n)
    targets = rng.normal(size=(n, dim)) + X[:, :1]
    return X, BinnedRows.from_data(X), targets, weights


def sums_of(binned, T, features=None):
    features = np.arange(len(binned.edges)) if features is None else features
    return tree_sums.histogram(binned, features, T)


def test_histogram_is_its_slow_twin(rows):
    X, binned, targets, weights = rows
    T = table(weights[:, None] * targets, weights)
    features = np.array([2, 0])
    fast = sums_of(binned, T, features)
    bins = int(binned.n_bins.max()) + 1
    twin = slow.histogram(binned.codes, features, np.arange(len(X)), T, bins)
    assert np.allclose(fast, twin, atol=1e-12)


def test_best_stumps_are_the_best_split_of_each_coordinate(rows):
    X, binned, targets, weights = rows
    dim = targets.shape[1]
    sums = sums_of(binned, table(weights[:, None] * targets, weights))
    gains, features, cuts = tree_sums.best_stumps(sums, binned.n_bins - 1, dim, 0.0, 5)
    for k in range(dim):
        expected = slow.best_split(X, targets[:, [k]], weights, 5)
        found = gains[k], features[k], binned.edges[features[k]][cuts[k]]
        assert np.allclose(found, expected)


def test_no_stump_where_none_gains_or_leaves_are_too_light(rows):
    _, binned, targets, weights = rows
    dim = targets.shape[1]
    sums = sums_of(binned, table(np.outer(weights, np.ones(dim)), weights))
    assert np.all(tree_sums.best_stumps(sums, binned.n_bins - 1, dim, 0.0, 1)[1] == -1)
    sums = sums_of(binned, table(weights[:, None] * targets, weights))
    half = weights.sum() / 2
    assert np.all(tree_sums.best_stumps(sums, binned.n_bins - 1, dim, half, 1)[1] == -1)


def test_equal_gains_go_to_the_first_feature():
    x = np.arange(10.0)
    binned = BinnedRows.from_data(np.c_[x, x, x])
    sums = sums_of(binned, table(np.where(x > 4, 1.0, -1.0)[:, None], np.ones(10)))
    sums[1:] *= 1 + 1e-14
    assert tree_sums.best_stumps(sums, binned.n_bins - 1, 1, 0.0, 1)[1].tolist() == [0]


def test_sums_by_leaf_and_class():
    rng = np.random.default_rng(0)
    T = rng.normal(size=(60, 4))
    leaf, y = rng.integers(3, size=60), rng.integers(4, size=60)
    by_leaf = tree_sums.leaf_sums(T, leaf, 3)
    by_class = tree_sums.class_sums(T, leaf, y, 3, 4)
    for q in range(3):
        assert np.allclose(by_leaf[q], T[leaf == q].sum(axis=0))
        for k in range(4):
            assert np.allclose(by_class[q, k], T[(leaf == q) & (y == k)].sum(axis=0))
