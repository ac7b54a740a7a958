"""The compiled tree: the best split of each feature, rows side by side, gains, missing values."""

from itertools import combinations

import numpy as np
import pytest

from reference import boosting as slow
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.greedy_tree import Shape, grow, table
from simplexcoding.solvers.boosting.loops.category_sets import WORDS, holds
from simplexcoding.solvers.boosting.loops.tree_growth import grow_nodes

FREE = (0.0, 0.0, 1.0)


def search(binned, candidates, members, rows, work, totals, dim, limits, parts):
    """The best splits of node 1, the first rows, and of its sibling; of a root where there is none.

    With one histogram in `work`, it is that of the root and known; with three, they are those of
    root, first and second child, and the root's is known.
    """
    m, alone = len(candidates), len(work) == 1
    slots = np.array([0, 1, 2])
    begins, ends = np.zeros((2, 3), dtype=np.intp)
    if not alone:
        begins[:], ends[:] = [0, 0, len(members)], [0, len(members), 0]
    gains, cuts = np.full((2, m), np.nan), np.full((2, m), -2)
    missing_left, sets, orders = np.zeros((2, m), dtype=bool), None, None
    if binned.categorical.any():
        sets = np.full((2, m, WORDS), -1, dtype=np.int64)
        orders = np.zeros((m, dim, work.shape[2]), dtype=np.intp)
    node_sets = None if sets is None else np.zeros((1, WORDS), dtype=np.int64)
    state = np.array([*([1, 0, -1, 1] if alone else [1, 1, 2, 0]), -1, 0, 0])
    before = state.copy()
    some = np.r_[np.ones(dim), np.zeros(rows.shape[1] + 8 - dim)]
    for first, last in parts:
        more = grow_nodes(
            binned.codes, binned.n_bins, binned.categorical, candidates, members, rows,
            np.empty_like(members), np.empty_like(rows), work, slots, totals, dim,
            np.array(limits, dtype=float), gains, cuts, missing_left, sets, orders,
            np.empty((m, rows.shape[1])), some, np.zeros(1, dtype=np.intp), np.zeros(1),
            np.full(1, -1), np.ones(1, dtype=bool), node_sets, np.full(1, -1), begins, ends,
            np.zeros(3, dtype=np.intp), state, -1.0, first, last,
        )  # fmt: skip
        assert more and np.array_equal(state, before)
    return gains, cuts, missing_left, sets


def column(dim, n=120, seed=0):
    rng = np.random.default_rng(seed + dim)
    x = rng.integers(7, size=n).astype(float)
    weights = rng.exponential(size=n)
    return x, rng.normal(size=(n, dim)) + np.sin(2 * x[:, None]), weights


def best(x, targets, weights, limits=FREE, categorical=False):
    """The best split of one feature: gain, cut, side of missing values, set; and its bins."""
    binned = BinnedRows.from_data(x[:, None], categorical=np.array([categorical]))
    rows, dim = table(weights[:, None] * targets, weights), targets.shape[1]
    everything, feature = np.arange(len(x)), np.zeros(1, dtype=np.intp)
    sums = slow.histogram(binned.codes, feature, everything, rows, binned.n_bins[0] + 1)
    totals = np.stack([rows.sum(axis=0), np.full(rows.shape[1], np.nan)])
    found = search(binned, feature, everything, rows, sums[None], totals, dim, limits, [(0, 1)])
    gains, cuts, missing_left, sets = (None if part is None else part[0, 0] for part in found)
    return gains, cuts, missing_left, sets, binned


def gain_by_definition(targets, weights, left, l2=0.0):
    """Fall of the penalised squared error."""

    def term(side):
        s = (weights[side, None] * targets[side]).sum(axis=0)
        return s @ s / (weights[side].sum() + l2)

    return term(left) + term(~left) - term(np.ones(len(left), dtype=bool))


@pytest.mark.parametrize("dim", [1, 3])
@pytest.mark.parametrize("least", [1, 25])
def test_the_best_cut_has_the_least_squared_error(dim, least):
    x, targets, weights = column(dim)
    gain, cut, _, _, binned = best(x, targets, weights, (0.0, 0.0, least))
    expected = slow.best_split(x[:, None], targets, weights, least)
    assert np.allclose([gain, binned.edges[0][cut]], [expected[0], expected[2]])


@pytest.mark.parametrize("dim", [1, 3])
@pytest.mark.parametrize("l2", [0.0, 5.0])
def test_missing_values_go_to_the_side_that_gains_most(dim, l2):
    x, targets, weights = column(dim)
    x[::5] = np.nan
    gain, cut, missing_left, _, binned = best(x, targets, weights, (l2, 0.0, 1))
    by_hand = [
        (gain_by_definition(targets, weights, (x <= t) | (np.isnan(x) & side), l2), t, side)
        for side in (False, True)
        for t in [*binned.edges[0], np.inf]
        if not (side and t == np.inf)
    ]
    expected = max(by_hand)
    assert np.isclose(gain, expected[0])
    assert (binned.thresholds(0, cut), missing_left) == expected[1:]


@pytest.mark.parametrize("seed", range(5))
def test_one_column_gets_the_best_of_all_sets_of_categories(seed):
    x, targets, weights = column(1, seed=seed)
    x[::9] = np.nan
    gain, cut, missing_left, words, binned = best(x, targets, weights, categorical=True)
    codes = binned.codes[0]
    sets = [set(c) for size in range(1, 8) for c in combinations(range(8), size)]
    gains = [gain_by_definition(targets, weights, np.isin(codes, list(s))) for s in sets]
    assert np.isclose(gain, max(gains))
    chosen = [holds(words, code) for code in range(8)]
    assert cut + 1 == sum(chosen) and missing_left == chosen[7]
    assert np.isclose(gain_by_definition(targets, weights, np.array(chosen)[codes]), gain)


def test_several_columns_get_a_set_that_gains_what_it_says():
    x, targets, weights = column(4)
    gain, _, _, words, binned = best(x, targets, weights, categorical=True)
    on_left = np.array([holds(words, code) for code in binned.codes[0]])
    assert np.isclose(gain_by_definition(targets, weights, on_left), gain)
    assert gain > best(x, targets, weights)[0]


@pytest.mark.parametrize("categorical", [False, True])
def test_no_split_where_none_gains_or_a_side_is_too_light(categorical):
    x, targets, weights = column(2)
    assert best(x, np.ones_like(targets), weights, categorical=categorical)[1] == -1
    heavy = (0.0, weights.sum() / 2, 1.0)
    assert best(x, targets, weights, heavy, categorical)[1] == -1


@pytest.mark.parametrize("parts", [[(0, 12)], [(9, 12), (0, 9)]])
def test_siblings_get_the_best_split_of_each_feature(parts):
    rng = np.random.default_rng(0)
    n, p, dim, cut = 200, 12, 3, 70
    X = rng.integers(9, size=(n, p)).astype(float)
    weights = rng.exponential(size=n)
    targets = rng.normal(size=(n, dim)) + np.sin(X[:, :dim])
    binned, features = BinnedRows.from_data(X), rng.permutation(p)
    members = rng.permutation(n)
    rows = table(weights[:, None] * targets, weights)[members]
    bins = int(binned.n_bins.max()) + 1
    work = np.full((3, p, bins, rows.shape[1]), np.nan)
    work[0] = slow.histogram(binned.codes, features, np.arange(n), rows[np.argsort(members)], bins)
    totals = np.stack([rows[:cut].sum(axis=0), rows[cut:].sum(axis=0)])
    gains, cuts, missing_left, _ = search(
        binned, features, members[:cut], rows[:cut], work, totals, dim, FREE, parts
    )
    for side, mine in enumerate((members[:cut], members[cut:])):
        for j, feature in enumerate(features):
            values = X[mine, feature]
            expected = slow.best_split(values[:, None], targets[mine], weights[mine], 1)
            left = values <= binned.edges[feature][cuts[side, j]]
            assert np.isclose(gains[side, j], expected[0])
            assert np.array_equal(left, values <= expected[2])
    assert not missing_left.any()


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
