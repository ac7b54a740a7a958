"""Compiled search for the best split of one feature. This module imports Numba: import it late.

A histogram holds sums of *table* rows (see `tree_growth`) by feature and bin, with the rows
whose value is missing in the bin after the last, number `n_bins`. Gains are

    ||s_L||^2 / (w_L + l2) + ||s_R||^2 / (w_R + l2) - ||s||^2 / (w + l2),

s the sums of the D columns of descent and w that of the weight: with l2 = 0 the fall of the
weighted squared error of a regression tree with weights w and targets s/w.

What compiled code of the trees takes is plain arrays and numbers, indexed one number at a time:
records and slices take longer to compile than to run. `limits` has the l2 term, the weight that
a side must exceed and the rows that it must have.
"""

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats
from simplexcoding.compiled import compiled

# Gains that differ by rounding are equal: the first feature and the lowest threshold win.
TIE = 1.0 + 1e-10

# A set of categories has one bit per bin: as many words as 256 bins need.
WORDS = 4

Sets = NDArray[np.int64]


@compiled(inline="always", error_model="numpy")
def gain_of(left: Floats, totals: Floats, side: int, dim: int, limits: Floats) -> float:
    """||s_L||^2 / (w_L + l2) + ||s_R||^2 / (w_R + l2); negative where a side is too light."""
    weight, rest_weight = left[dim], totals[side, dim] - left[dim]
    rows, rest_rows = left[dim + 1], totals[side, dim + 1] - left[dim + 1]
    if min(weight, rest_weight) <= limits[1] or min(rows, rest_rows) < limits[2]:
        return -1.0
    on_left, on_right = 0.0, 0.0
    for k in range(dim):
        rest = totals[side, k] - left[k]
        on_left += left[k] * left[k]
        on_right += rest * rest
    return on_left / (weight + limits[0]) + on_right / (rest_weight + limits[0])


@compiled(inline="always", error_model="numpy")
def gain_of_nothing(totals: Floats, side: int, dim: int, limits: Floats) -> float:
    """||s||^2 / (w + l2)."""
    squares = 0.0
    for k in range(dim):
        squares += totals[side, k] * totals[side, k]
    return squares / max(totals[side, dim] + limits[0], 1e-300)


@compiled(inline="always", error_model="numpy")
def best_cut(
    work: Floats, slot: int, j: int, n_bins: int, totals: Floats, side: int, dim: int,
    limits: Floats, left: Floats,
) -> tuple[float, int, bool]:  # fmt: skip
    """Best cut of a feature in order, with missing values on the better side.

    Parameters
    ----------
    work : (slots, m, B, K) array of histograms; work[slot, j] is searched
    totals : (2, K) array; totals[side] is the sum of all bins
    left : (K,) array, room for sums

    Returns
    -------
    gain, last bin on the left (-1 where nothing gains), whether missing values go left (False
    where there are none)
    """
    base = gain_of_nothing(totals, side, dim, limits)
    missing = 1 if work[slot, j, n_bins, dim + 1] > 0 else 0
    best, cut, missing_left = 1e-12 * base, -1, False
    for way in range(1 + missing):
        for k in range(dim + 2):
            left[k] = way * work[slot, j, n_bins, k]
        # With missing values on the right, all others may stand on the left.
        last = n_bins if missing == 1 and way == 0 else n_bins - 1
        for b in range(last):
            if work[slot, j, b, dim + 1] == 0:
                continue
            for k in range(dim + 2):
                left[k] += work[slot, j, b, k]
            gain = gain_of(left, totals, side, dim, limits) - base
            if gain > best * TIE:
                best, cut, missing_left = gain, b, way == 1
    return best, cut, missing_left


@compiled
def best_set(
    sums: Floats, n_bins: int, totals: Floats, side: int, dim: int, limits: Floats, on_left: Sets
) -> tuple[float, int]:
    """Best set of categories among prefixes of their orders along each of the D columns.

    For one column the best set is such a prefix; for several it is a heuristic, whose columns
    change from round to round where they are random directions. Missing values are a category.

    Parameters
    ----------
    sums : (B, K) array
    on_left : (WORDS,) array, overwritten with the bits of the categories on the left

    Returns
    -------
    gain, number of categories on the left (-1 where nothing gains)
    """
    base = gain_of_nothing(totals, side, dim, limits)
    present = np.flatnonzero(sums[: n_bins + 1, dim + 1] > 0)
    best, taken = 1e-12 * base, -1
    ratios = np.empty(len(present))
    left = np.empty(dim + 2)
    for axis in range(dim):
        for q in range(len(present)):
            cell = sums[present[q]]
            ratios[q] = cell[axis] / max(cell[dim] + limits[0], 1e-300)
        order = present[np.argsort(ratios, kind="mergesort")]
        left[:] = 0.0
        for q in range(len(order) - 1):
            for k in range(dim + 2):
                left[k] += sums[order[q], k]
            gain = gain_of(left, totals, side, dim, limits) - base
            if gain > best * TIE:
                best, taken = gain, q + 1
                on_left[:] = 0
                for c in order[:taken]:
                    on_left[c >> 6] |= np.int64(1) << (c & 63)
    return best, taken


@compiled
def holds(words: Sets, code: int) -> bool:
    """Whether a set holds the bin of that number."""
    return (words[code >> 6] >> (code & 63)) & 1 != 0
