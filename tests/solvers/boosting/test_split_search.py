"""The compiled search of one feature against all that could be found."""

from itertools import combinations

import numpy as np
import pytest

from reference import boosting as slow
from simplexcoding.solvers.boosting import split_search
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.growth import table
from simplexcoding.solvers.boosting.split_search import WORDS, holds
from simplexcoding.solvers.boosting.sweeps import histogram

FREE = (0.0, 0.0, 1.0)


def best_cut(sums, n_bins, total, dim, limits):
    """The search of one feature, whose histogram stands second in its room."""
    work = np.stack([np.full_like(sums, np.nan), sums])[:, None]
    totals, left = np.stack([np.full_like(total, np.nan), total]), np.empty(len(total))
    return split_search.best_cut(
        work, 1, 0, n_bins, totals, 1, dim, np.array(limits, dtype=float), left
    )


def best_set(sums, n_bins, total, dim, limits, words):
    totals = np.stack([total, np.full_like(total, np.nan)])
    return split_search.best_set(sums, n_bins, totals, 0, dim, np.array(limits, dtype=float), words)


def data(dim, n=120, seed=0):
    rng = np.random.default_rng(seed + dim)
    x = rng.integers(7, size=n).astype(float)
    weights = rng.exponential(size=n)
    return x, rng.normal(size=(n, dim)) + np.sin(2 * x[:, None]), weights


def sums_of(x, targets, weights, categorical=False):
    binned = BinnedRows.from_data(x[:, None], categorical=np.array([categorical]))
    T = table(weights[:, None] * targets, weights)
    return histogram(binned, np.array([0]), T)[0], binned, T.sum(axis=0)


def gain(targets, weights, left, l2=0.0):
    """Fall of the penalised squared error, by its definition."""

    def term(side):
        s = (weights[side, None] * targets[side]).sum(axis=0)
        return s @ s / (weights[side].sum() + l2)

    return term(left) + term(~left) - term(np.ones(len(left), dtype=bool))


@pytest.mark.parametrize("dim", [1, 3])
@pytest.mark.parametrize("least", [1, 25])
def test_the_best_cut_has_the_least_squared_error(dim, least):
    x, targets, weights = data(dim)
    sums, binned, total = sums_of(x, targets, weights)
    best, cut, _ = best_cut(sums, binned.n_bins[0], total, dim, (0.0, 0.0, least))
    expected = slow.best_split(x[:, None], targets, weights, least)
    assert np.allclose([best, binned.edges[0][cut]], [expected[0], expected[2]])


@pytest.mark.parametrize("dim", [1, 3])
@pytest.mark.parametrize("l2", [0.0, 5.0])
def test_missing_values_go_to_the_side_that_gains_most(dim, l2):
    x, targets, weights = data(dim)
    x[::5] = np.nan
    sums, binned, total = sums_of(x, targets, weights)
    best, cut, missing_left = best_cut(sums, binned.n_bins[0], total, dim, (l2, 0.0, 1))
    by_hand = [
        (gain(targets, weights, (x <= t) | (np.isnan(x) & side), l2), t, side)
        for side in (False, True)
        for t in [*binned.edges[0], np.inf]
        if not (side and t == np.inf)
    ]
    expected = max(by_hand)
    assert np.isclose(best, expected[0])
    assert (binned.thresholds(0, cut), missing_left) == expected[1:]


@pytest.mark.parametrize("seed", range(5))
def test_one_column_gets_the_best_of_all_sets_of_categories(seed):
    x, targets, weights = data(1, seed=seed)
    x[::9] = np.nan
    sums, binned, total = sums_of(x, targets, weights, categorical=True)
    words = np.zeros(WORDS, dtype=np.int64)
    best, taken = best_set(sums, binned.n_bins[0], total, 1, FREE, words)
    codes = binned.codes[0]
    sets = [set(c) for size in range(1, 8) for c in combinations(range(8), size)]
    gains = [gain(targets, weights, np.isin(codes, list(s))) for s in sets]
    assert np.isclose(best, max(gains))
    chosen = [holds(words, code) for code in range(8)]
    assert taken == sum(chosen)
    assert np.isclose(gain(targets, weights, np.array(chosen)[codes]), best)


def test_several_columns_get_a_set_that_gains_what_it_says():
    x, targets, weights = data(4)
    sums, binned, total = sums_of(x, targets, weights, categorical=True)
    words = np.zeros(WORDS, dtype=np.int64)
    best, _ = best_set(sums, binned.n_bins[0], total, 4, FREE, words)
    on_left = np.array([holds(words, code) for code in binned.codes[0]])
    assert np.isclose(gain(targets, weights, on_left), best)
    in_order, _, _ = best_cut(sums, binned.n_bins[0], total, 4, FREE)
    assert best > in_order


def test_no_split_where_none_gains_or_a_side_is_too_light():
    x, targets, weights = data(2)
    sums, binned, total = sums_of(x, np.ones_like(targets), weights)
    assert best_cut(sums, binned.n_bins[0], total, 2, FREE)[1] == -1
    sums, binned, total = sums_of(x, targets, weights)
    heavy = (0.0, weights.sum() / 2, 1.0)
    assert best_cut(sums, binned.n_bins[0], total, 2, heavy)[1] == -1
