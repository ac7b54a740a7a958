"""The compiled sweeps against loops over raw thresholds."""

import numpy as np
import pytest

from reference import boosting as slow
from simplexcoding.solvers.boosting import sweeps
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.forest import Forest, Tree
from simplexcoding.solvers.boosting.growth import table


@pytest.fixture(params=[1, 2, 5])
def rows(request):
    dim, n = request.param, 150
    rng = np.random.default_rng(dim)
    X = np.c_[rng.normal(size=(n, 2)), rng.integers(4, size=n)]
    weights = rng.exponential(size=n)
    targets = rng.normal(size=(n, dim)) + X[:, :1]
    return X, BinnedRows.from_data(X), targets, weights


def test_histogram_is_its_slow_twin(rows):
    X, binned, targets, weights = rows
    T = table(weights[:, None] * targets, weights)
    features, members = np.array([2, 0]), np.arange(0, len(X), 3)
    bins = int(binned.n_bins.max())
    fast = sweeps.histogram(binned.codes, features, members, T, bins)
    assert np.allclose(fast, slow.histogram(binned.codes, features, members, T, bins), atol=1e-12)


@pytest.mark.parametrize("least", [1, 20])
def test_best_split_has_the_least_squared_error(rows, least):
    X, binned, targets, weights = rows
    dim = targets.shape[1]
    T = table(weights[:, None] * targets, weights)
    every = np.arange(X.shape[1])
    sums = sweeps.histogram(binned.codes, every, np.arange(len(X)), T, int(binned.n_bins.max()))
    gain, j, cut = sweeps.best_split(sums, binned.n_bins - 1, dim, 0.0, least)
    expected = slow.best_split(X, targets, weights, least)
    assert np.allclose([gain, j, binned.edges[j][cut]], expected)


def test_best_stumps_are_the_best_split_of_each_coordinate(rows):
    X, binned, targets, weights = rows
    dim = targets.shape[1]
    T = table(weights[:, None] * targets, weights)
    every = np.arange(X.shape[1])
    sums = sweeps.histogram(binned.codes, every, np.arange(len(X)), T, int(binned.n_bins.max()))
    gains, features, cuts = sweeps.best_stumps(sums, binned.n_bins - 1, dim, 0.0, 5)
    for k in range(dim):
        expected = slow.best_split(X, targets[:, [k]], weights, 5)
        found = gains[k], features[k], binned.edges[features[k]][cuts[k]]
        assert np.allclose(found, expected)


def test_no_split_where_none_gains_or_leaves_are_too_light(rows):
    X, binned, targets, weights = rows
    dim = targets.shape[1]
    every, members = np.arange(X.shape[1]), np.arange(len(X))
    bins = int(binned.n_bins.max())
    same = table(np.outer(weights, np.ones(dim)), weights)
    sums = sweeps.histogram(binned.codes, every, members, same, bins)
    assert sweeps.best_split(sums, binned.n_bins - 1, dim, 0.0, 1)[1] == -1
    assert np.all(sweeps.best_stumps(sums, binned.n_bins - 1, dim, 0.0, 1)[1] == -1)
    varied = table(weights[:, None] * targets, weights)
    sums = sweeps.histogram(binned.codes, every, members, varied, bins)
    half = weights.sum() / 2
    assert sweeps.best_split(sums, binned.n_bins - 1, dim, half, 1)[1] == -1
    assert np.all(sweeps.best_stumps(sums, binned.n_bins - 1, dim, half, 1)[1] == -1)


def test_equal_gains_go_to_the_first_feature():
    x = np.arange(10.0)
    binned = BinnedRows.from_data(np.c_[x, x, x])
    T = table(np.where(x > 4, 1.0, -1.0)[:, None], np.ones(10))
    sums = sweeps.histogram(binned.codes, np.arange(3), np.arange(10), T, 10)
    sums[1:] *= 1 + 1e-14
    assert sweeps.best_split(sums, binned.n_bins - 1, 1, 0.0, 1)[1:] == (0, 4)
    assert sweeps.best_stumps(sums, binned.n_bins - 1, 1, 0.0, 1)[1].tolist() == [0]


def test_sums_by_leaf_and_class():
    rng = np.random.default_rng(0)
    T = rng.normal(size=(60, 4))
    leaf, y = rng.integers(3, size=60), rng.integers(4, size=60)
    by_leaf = sweeps.leaf_sums(T, leaf, 3)
    by_class = sweeps.class_sums(T, leaf, y, 3, 4)
    for q in range(3):
        assert np.allclose(by_leaf[q], T[leaf == q].sum(axis=0))
        for k in range(4):
            assert np.allclose(by_class[q, k], T[(leaf == q) & (y == k)].sum(axis=0))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_trees_answer_as_a_walk_does(dtype):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3)).astype(dtype)
    shape = {"features": rng.integers(3, size=(5, 3)), "thresholds": rng.normal(size=(5, 3))}
    shape["thresholds"][0, 1] = np.inf
    shape["thresholds"][2] = X[:3, 0]  # a value on its threshold goes left
    for width, coordinates in [(2, [-1] * 5), (1, [0, 1, 1, 0, 1])]:
        values = rng.normal(size=(5, 4, width))
        trees = [
            Tree(shape["features"][t], shape["thresholds"][t], np.ones(3), values[t], c)
            for t, c in enumerate(coordinates)
        ]
        F = np.zeros((40, 2))
        Forest.of([trees]).add(X, F)
        expected = np.zeros((40, 2))
        for tree in trees:
            part = slice(None) if width == 2 else [tree.coordinate]
            for i in range(40):
                expected[i, part] += slow.walk(tree, X[i])
        assert np.allclose(F, expected, atol=1e-14)
