import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.greedy_tree import Shape, grow, table


def data(n=200, dim=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    targets = np.sin(2 * X[:, :dim]) + 0.3 * rng.normal(size=(n, dim))
    return X, targets, rng.exponential(size=n) + 0.1


@pytest.mark.parametrize(
    ("depth", "least", "share"), [(1, 1, 0.0), (2, 1, 0.0), (3, 10, 0.0), (4, 1, 0.04)]
)
def test_the_tree_is_that_of_scikit_learn(depth, least, share):
    X, targets, weights = data()
    rows = table(weights[:, None] * targets, weights)
    binned = BinnedRows.from_data(X)
    splits = grow(binned, rows, 3, Shape(depth, least, share), np.arange(4))
    means = np.array(
        [
            np.average(targets[splits.leaf == q], axis=0, weights=weights[splits.leaf == q])
            if np.any(splits.leaf == q)
            else np.zeros(3)
            for q in range(splits.n_leaves)
        ]
    )
    peer = DecisionTreeRegressor(
        max_depth=depth, min_samples_leaf=least, min_weight_fraction_leaf=share, random_state=0
    )
    expected = peer.fit(X, targets, sample_weight=weights).predict(X)
    assert np.allclose(means[splits.leaf], expected)
    fall = sum(
        weights @ ((targets - before) ** 2).sum(axis=1) * sign
        for before, sign in [(np.average(targets, axis=0, weights=weights), 1), (expected, -1)]
    )
    assert np.isclose(splits.gains.sum(), fall)


def test_leaves_follow_the_raw_thresholds():
    X, targets, weights = data()
    splits = grow(
        BinnedRows.from_data(X, max_bins=16),
        table(weights[:, None] * targets, weights),
        3,
        Shape(3),
        np.arange(4),
    )
    for x, leaf in zip(X, splits.leaf, strict=True):
        node = 0
        while node < len(splits.features):
            node = 2 * node + 1 + (x[splits.features[node]] > splits.thresholds[node])
        assert leaf == node - len(splits.features)


def test_only_the_given_features_are_split():
    X, targets, weights = data()
    rows = table(weights[:, None] * targets, weights)
    splits = grow(BinnedRows.from_data(X), rows, 3, Shape(3), np.array([1, 3]))
    assert set(splits.features[np.isfinite(splits.thresholds)]) <= {1, 3}


def test_a_known_root_changes_nothing():
    from simplexcoding.solvers.boosting.loops.tree_sums import histogram

    X, targets, weights = data()
    binned, every = BinnedRows.from_data(X), np.arange(4)
    rows = table(weights[:, None] * targets, weights)
    root = histogram(binned, every, rows)
    first, second = (grow(binned, rows, 3, Shape(2), every, root=r) for r in (None, root))
    assert np.array_equal(first.leaf, second.leaf)
    assert np.array_equal(first.thresholds, second.thresholds)


def test_nodes_that_cannot_be_split_stay_whole():
    x = np.array([[0.0], [0.0], [1.0], [1.0]])
    rows = table(np.array([[-1.0], [-1.0], [1.0], [2.0]]), np.ones(4))
    splits = grow(BinnedRows.from_data(x), rows, 1, Shape(2), np.array([0]))
    assert splits.leaf.tolist() == [0, 0, 2, 2]
    assert splits.thresholds.tolist() == [0.5, np.inf, np.inf]
    assert not splits.whole
    assert grow(BinnedRows.from_data(0 * x), rows, 1, Shape(2), np.array([0])).whole


def test_table_is_padded_to_eight_columns():
    for dim, width in [(1, 8), (6, 8), (7, 16), (26, 32)]:
        rows = table(np.ones((2, dim)), np.full(2, 3.0))
        assert rows.shape == (2, width)
        assert rows[0, dim : dim + 2].tolist() == [3.0, 1.0]
        assert not rows[:, dim + 2 :].any()
