"""Compiled sums over all rows for the rounds. This module imports Numba: import it late.

Tables and histograms are those of `tree_growth`.
"""

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.loops.tree_growth import TIE, Codes

# Rows that are added feature by feature: they stay in cache meanwhile.
_ROWS_TOGETHER = 128


def histogram(binned: BinnedRows, features: Indices, table: Floats) -> Floats:
    """Add the table rows of all rows up by feature and bin, (m, B, K). O(n m K)."""
    m = len(features)
    sums = np.zeros((m, int(binned.n_bins.max()) + 1, table.shape[1]))
    _add_rows(binned.codes, features, table, sums)
    return sums


@compiled
def _add_rows(codes: Codes, features: Indices, table: Floats, sums: Floats) -> None:
    n, width = table.shape
    for start in range(0, n, _ROWS_TOGETHER):
        for j in range(len(features)):
            for i in range(start, min(start + _ROWS_TOGETHER, n)):
                b = codes[features[j], i]
                for k in range(width):
                    sums[j, b, k] += table[i, k]


@compiled
def best_stumps(
    sums: Floats, cuts: Indices, dim: int, least_weight: float, least_count: float
) -> tuple[Floats, Indices, Indices]:
    """Best cut for each of dim coordinates on its own, in one pass: three (dim,) arrays.

    Values are in order and none is missing; `cuts` has the number of edges of each feature.
    """
    m, bins, width = sums.shape
    total = np.zeros(width)
    for b in range(bins):
        for k in range(width):
            total[k] += sums[0, b, k]
    weight, count = total[dim], total[dim + 1]
    base = total[:dim] ** 2 / max(weight, 1e-300)
    best = 1e-12 * base
    feature = np.full(dim, -1)
    cut = np.full(dim, -1)
    left = np.empty(width)
    for j in range(m):
        left[:] = 0.0
        for b in range(cuts[j]):
            for k in range(width):
                left[k] += sums[j, b, k]
            heavy = weight - left[dim]
            few = min(left[dim + 1], count - left[dim + 1])
            if min(left[dim], heavy) > least_weight and few >= least_count:
                for k in range(dim):
                    gain = left[k] ** 2 / left[dim] + (total[k] - left[k]) ** 2 / heavy - base[k]
                    if gain > best[k] * TIE:
                        best[k], feature[k], cut[k] = gain, j, b
    return best, feature, cut


@compiled
def leaf_sums(table: Floats, leaf: Indices, leaves: int) -> Floats:
    """Add table rows up by leaf, (leaves, K)."""
    sums = np.zeros((leaves, table.shape[1]))
    for i in range(len(leaf)):
        for k in range(table.shape[1]):
            sums[leaf[i], k] += table[i, k]
    return sums


@compiled
def class_sums(table: Floats, leaf: Indices, y: Indices, leaves: int, n_classes: int) -> Floats:
    """Add the first T columns up by leaf and class of the row, (leaves, T, T)."""
    sums = np.zeros((leaves, n_classes, n_classes))
    for i in range(len(leaf)):
        for k in range(n_classes):
            sums[leaf[i], y[i], k] += table[i, k]
    return sums
