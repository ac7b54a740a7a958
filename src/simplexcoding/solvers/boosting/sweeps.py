"""Compiled sweeps of the boosting solvers. This module imports Numba: import it late.

A *table* is an (n, K) array with what a tree needs of each row: D columns of gradient, then
the row's weight, its count of one, and padding that keeps rows aligned. A histogram holds
the sums of table rows over the rows of a node, by feature and bin: (m, B, K).
"""

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled

Codes = NDArray[np.uint8]

# A block of table rows stays in the first cache while every feature reads it.
_BLOCK = 64

# Gains that differ by rounding are equal: the first feature and the lowest threshold win.
_TIE = 1.0 + 1e-10


@compiled
def histogram(codes: Codes, features: Indices, rows: Indices, table: Floats, bins: int) -> Floats:
    """Add table rows up by feature and bin, (m, bins, K). O(len(rows) m K)."""
    width = table.shape[1]
    sums = np.zeros((len(features), bins, width))
    for start in range(0, len(rows), _BLOCK):
        end = min(start + _BLOCK, len(rows))
        for j in range(len(features)):
            code = codes[features[j]]
            by_bin = sums[j]
            for q in range(start, end):
                row = table[rows[q]]
                cell = by_bin[code[rows[q]]]
                for k in range(width):
                    cell[k] += row[k]
    return sums


@compiled
def best_split(
    sums: Floats, cuts: Indices, dim: int, least_weight: float, least_count: float
) -> tuple[float, int, int]:
    """Split of largest gain ||s_L||^2/w_L + ||s_R||^2/w_R - ||s||^2/w, vectors of length dim.

    It is the fall of the weighted squared error of a regression tree with weights w and
    targets s/w. `cuts` has the number of edges of each of the m features.

    Returns
    -------
    gain, feature (an index into the m features, -1 where nothing gains), last bin on the left
    """
    m, bins, width = sums.shape
    total = np.zeros(width)
    for b in range(bins):
        for k in range(width):
            total[k] += sums[0, b, k]
    weight, count = total[dim], total[dim + 1]
    base = 0.0
    for k in range(dim):
        base += total[k] * total[k]
    base /= max(weight, 1e-300)
    best, feature, cut = 1e-12 * base, -1, -1
    left = np.empty(width)
    for j in range(m):
        left[:] = 0.0
        for b in range(cuts[j]):
            on_left, on_right = 0.0, 0.0
            for k in range(width):
                left[k] += sums[j, b, k]
            for k in range(dim):
                on_left += left[k] * left[k]
                on_right += (total[k] - left[k]) ** 2
            light = min(left[dim], weight - left[dim])
            few = min(left[dim + 1], count - left[dim + 1])
            if light > least_weight and few >= least_count:
                gain = on_left / left[dim] + on_right / (weight - left[dim]) - base
                if gain > best * _TIE:
                    best, feature, cut = gain, j, b
    return best, feature, cut


@compiled
def best_stumps(
    sums: Floats, cuts: Indices, dim: int, least_weight: float, least_count: float
) -> tuple[Floats, Indices, Indices]:
    """`best_split` for each of dim coordinates on its own, in one pass: three (dim,) arrays."""
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
                    if gain > best[k] * _TIE:
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


@compiled
def add_trees(
    X: Floats,
    features: Indices,
    thresholds: Floats,
    values: Floats,
    coordinates: Indices,
    F: Floats,
) -> None:
    """Add the answers of M trees at the rows of X to F, (n, T-1), in place.

    features, thresholds : (M, 2^d - 1), the nodes of complete trees, level by level
    values : (M, 2^d, width); width T-1, or 1 for trees that answer on one coordinate
    """
    nodes = features.shape[1]
    dim = F.shape[1]
    for i in range(X.shape[0]):
        for t in range(features.shape[0]):
            node = 0
            while node < nodes:
                node = 2 * node + 1 + (X[i, features[t, node]] > thresholds[t, node])
            value = values[t, node - nodes]
            if coordinates[t] >= 0:
                F[i, coordinates[t]] += value[0]
            else:
                for k in range(dim):
                    F[i, k] += value[k]
