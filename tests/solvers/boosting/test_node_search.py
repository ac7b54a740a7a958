"""Both children of a node against a search of each on its own."""

import numpy as np
import pytest

from reference import boosting as slow
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.growth import table
from simplexcoding.solvers.boosting.node_search import search


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
    gains, cuts = np.empty((2, p)), np.empty((2, p), dtype=np.intp)
    missing_left = np.empty((2, p), dtype=bool)
    for first, last in parts:
        search(
            binned.codes, binned.n_bins, binned.categorical, features, members, rows, 0, cut,
            work, 1, 2, 0, totals, dim, np.array([0.0, 0.0, 1.0]), gains, cuts, missing_left,
            None, first, last,
        )  # fmt: skip
    for side, mine in enumerate((members[:cut], members[cut:])):
        for j, feature in enumerate(features):
            column = X[mine][:, [feature]]
            expected = slow.best_split(column, targets[mine], weights[mine], 1)
            threshold = binned.edges[feature][cuts[side, j]]
            left = X[mine, feature] <= threshold
            assert np.isclose(gains[side, j], expected[0])
            assert np.array_equal(left, X[mine, feature] <= expected[2])
    assert not missing_left.any()
