"""Threads, and rows that only walk to their leaves."""

import numpy as np
import pytest

from simplexcoding import threads
from simplexcoding.solvers.boosting import tree_arrays
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.greedy_tree import Shape, grow, table


def data(categorical, n=3000, p=20):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, p))
    X[rng.random((n, p)) < 0.1] = np.nan
    X[:, 3] = rng.integers(6, size=n)
    targets = np.c_[np.sin(3 * X[:, 0]), np.isnan(X[:, 1]), np.isin(X[:, 3], [1, 4])]
    targets = np.nan_to_num(targets) + 0.1 * rng.normal(size=(n, 3))
    mask = (np.arange(p) == 3) & categorical
    return BinnedRows.from_data(X, categorical=mask), table(targets, np.ones(n))


@pytest.mark.parametrize("some", [None, np.arange(0, 3000, 3)])
@pytest.mark.parametrize("categorical", [True, False])
@pytest.mark.parametrize(("depth", "count"), [(1, 2), (5, 3), (9, 2)])
def test_threads_change_nothing(monkeypatch, some, categorical, depth, count):
    monkeypatch.setattr(tree_arrays, "_LEAST_WORK_FOR_THREADS", 1000)
    monkeypatch.setattr(threads, "_wanted", lambda: count)
    binned, rows = data(categorical)
    alone, together = (
        grow(binned, rows, 3, Shape(depth), np.arange(20), some=some, threads=several)
        for several in (False, True)
    )
    for name in ("features", "thresholds", "gains", "missing_left", "sets", "members", "ends"):
        assert np.array_equal(getattr(alone, name), getattr(together, name))
    assert len(alone.sets) == 0 or categorical


def test_there_is_room_for_nodes_of_all_sizes(monkeypatch):
    """Each split parts few rows from the rest, so nodes are left to the threads on every level."""
    monkeypatch.setattr(tree_arrays, "_LEAST_WORK_FOR_THREADS", 0)
    monkeypatch.setattr(threads, "_wanted", lambda: 2)
    x = np.repeat(np.arange(12.0), 100)[:, None]
    binned, rows = BinnedRows.from_data(x), table(3.0**-x, np.ones(len(x)))
    alone, together = (
        grow(binned, rows, 1, Shape(10), np.array([0]), threads=several)
        for several in (False, True)
    )
    assert np.array_equal(alone.thresholds, together.thresholds)
    assert np.array_equal(alone.members, together.members)
    assert np.count_nonzero(np.isfinite(alone.thresholds)) > 5


def test_rows_that_the_search_does_not_see_walk_to_their_leaves():
    binned, rows = data(True)
    some = np.arange(0, 3000, 3)
    part = grow(binned, rows, 3, Shape(4), np.arange(20), some=some)
    alone = grow(binned.take(some), rows[some], 3, Shape(4), np.arange(20))
    assert np.array_equal(part.features, alone.features)
    assert np.array_equal(part.thresholds, alone.thresholds)
    assert np.array_equal(part.leaf[some], alone.leaf)
    assert np.array_equal(np.sort(part.members), np.arange(3000))
    assert some.tolist() == list(range(0, 3000, 3))
