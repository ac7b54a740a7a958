import numpy as np
import pytest

from simplexcoding.solvers.boosting import binning
from simplexcoding.solvers.boosting.binning import BinnedRows, bin_edges, midpoints


@pytest.mark.parametrize("max_bins", [2, 7, 255])
def test_a_split_on_bins_is_a_raw_test_on_new_rows_too(max_bins):
    rng = np.random.default_rng(0)
    X = np.c_[rng.normal(size=2000), rng.integers(5, size=2000), rng.exponential(size=2000)]
    binned = BinnedRows.from_data(X, max_bins=max_bins)
    for j, edges in enumerate(binned.edges):
        assert len(edges) < max_bins
        assert np.all(np.diff(edges) > 0)
        for b, edge in enumerate(edges):
            assert np.array_equal(binned.codes[j] <= b, X[:, j] <= edge)
    assert binned.n_bins.tolist() == [len(edges) + 1 for edges in binned.edges]


def test_few_values_have_a_bin_each_and_many_have_bins_of_equal_weight():
    assert bin_edges(np.array([3.0, 1.0, 3.0, 2.0]), None, 255).tolist() == [1.5, 2.5]
    x = np.random.default_rng(1).normal(size=10_000)
    counts = np.bincount(np.searchsorted(bin_edges(x, None, 20), x))
    assert len(counts) == 20
    assert abs(counts - 500).max() <= 1


def test_a_heavy_value_does_not_eat_the_other_bins():
    x = np.r_[np.zeros(9_000), np.random.default_rng(2).normal(size=1_000)]
    edges = bin_edges(x, None, 50)
    assert np.any(edges < 0) and np.any(edges > 0)


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=400), rng.integers(1, 4, size=400)
    assert np.array_equal(bin_edges(x, w.astype(float), 16), bin_edges(x.repeat(w), None, 16))


def test_edges_keep_neighbouring_and_extreme_floats_apart():
    one = np.nextafter(1.0, 2.0)
    tiny = np.nextafter(0.0, 1.0)
    low = np.array([1.0, -1.7e308, 0.0, 1e308])
    high = np.array([one, 1.7e308, tiny, 1.7e308])
    edges = midpoints(low, high)
    assert np.all((low <= edges) & (edges < high))


def test_a_constant_feature_has_one_bin():
    binned = BinnedRows.from_data(np.ones((5, 1)))
    assert binned.codes.tolist() == [[0] * 5]
    assert binned.n_bins.tolist() == [1]


def test_missing_values_have_the_code_after_the_last_bin_and_no_edge():
    x = np.array([3.0, np.nan, 1.0, 2.0, np.nan])
    binned = BinnedRows.from_data(np.c_[x, np.full(5, np.nan)])
    assert binned.codes.tolist() == [[2, 3, 0, 1, 3], [1] * 5]
    assert binned.edges[0].tolist() == [1.5, 2.5]
    assert binned.thresholds(np.array([0, 0, 1]), np.array([1, 2, 0])).tolist() == [
        2.5,
        np.inf,
        np.inf,
    ]
    assert not binned.all_in_order
    assert np.array_equal(bin_edges(x, np.arange(5.0), 3), bin_edges(x[[0, 2, 3]], None, 3))


def test_categories_keep_their_numbers():
    x = np.array([4.0, 0.0, np.nan, 2.0])
    binned = BinnedRows.from_data(x[:, None], categorical=np.array([True]))
    assert binned.codes.tolist() == [[4, 0, 5, 2]]
    assert binned.n_bins.tolist() == [5]


def test_edges_of_many_rows_come_from_a_sample(monkeypatch):
    x = np.random.default_rng(0).normal(size=(5000, 1))
    monkeypatch.setattr(binning, "_ROWS_FOR_EDGES", 1000)
    binned = BinnedRows.from_data(x, max_bins=10)
    counts = np.bincount(binned.codes[0])
    assert len(counts) == 10
    # The share in a bin of a sample of 1000 has a standard error of 0.01.
    assert abs(counts / 5000 - 0.1).max() < 0.04
