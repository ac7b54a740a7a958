"""Compiled search for the best split of one feature. This module imports Numba: import it late.

A histogram of a feature is a (B, K) array: sums of *table* rows (see `tree_growth`) by bin, with
the rows whose value is missing in the bin after the last, number `n_bins`. Gains are

    ||s_L||^2 / (w_L + l2) + ||s_R||^2 / (w_R + l2) - ||s||^2 / (w + l2),

s the sums of the D columns of descent and w that of the weight: with l2 = 0 the fall of the
weighted squared error of a regression tree with weights w and targets s/w.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats
from simplexcoding.compiled import compiled

# Gains that differ by rounding are equal: the first feature and the lowest threshold win.
TIE = 1.0 + 1e-10

# A set of categories has one bit per bin: as many words as 256 bins need.
WORDS = 4

Sets = NDArray[np.int64]


class Limits(NamedTuple):
    """What a split must leave on both sides, and the l2 term of its gain."""

    l2: float
    weight: float
    rows: float


@compiled
def gain_of_nothing(total: Floats, dim: int, limits: Limits) -> float:
    """||s||^2 / (w + l2)."""
    squares = 0.0
    for k in range(dim):
        squares += total[k] * total[k]
    return squares / max(total[dim] + limits.l2, 1e-300)


@compiled
def gain_of(left: Floats, total: Floats, dim: int, limits: Limits, base: float) -> float:
    """Gain of sending `left` out of `total` to the left; zero where a side is too light."""
    rest_weight = total[dim] - left[dim]
    if min(left[dim], rest_weight) <= limits.weight:
        return 0.0
    if min(left[dim + 1], total[dim + 1] - left[dim + 1]) < limits.rows:
        return 0.0
    on_left, on_right = 0.0, 0.0
    for k in range(dim):
        rest = total[k] - left[k]
        on_left += left[k] * left[k]
        on_right += rest * rest
    return on_left / (left[dim] + limits.l2) + on_right / (rest_weight + limits.l2) - base


@compiled
def numeric_split(
    sums: Floats, n_bins: int, total: Floats, dim: int, limits: Limits
) -> tuple[float, int, bool]:
    """Best cut of a feature in order, with missing values on the better side.

    Returns
    -------
    gain, last bin on the left (-1 where nothing gains), whether missing values go left (False
    where there are none)
    """
    base = gain_of_nothing(total, dim, limits)
    missing = sums[n_bins, dim + 1] > 0
    best, cut, missing_left = 1e-12 * base, -1, False
    left = np.empty(dim + 2)
    for side in range(1 + missing):
        for k in range(dim + 2):
            left[k] = side * sums[n_bins, k]
        # With missing values on the right, all others may stand on the left.
        for b in range(n_bins - 1 + (missing and side == 0)):
            if sums[b, dim + 1] == 0:
                continue
            for k in range(dim + 2):
                left[k] += sums[b, k]
            gain = gain_of(left, total, dim, limits, base)
            if gain > best * TIE:
                best, cut, missing_left = gain, b, side == 1
    return best, cut, missing_left


@compiled
def categorical_split(
    sums: Floats, n_bins: int, total: Floats, dim: int, limits: Limits, on_left: Sets
) -> tuple[float, int]:
    """Best set of categories among prefixes of their orders along each of the D columns.

    For one column the best set is such a prefix; for several it is a heuristic, whose columns
    change from round to round where they are random directions. Missing values are a category.

    Parameters
    ----------
    on_left : (WORDS,) array, overwritten with the bits of the categories on the left

    Returns
    -------
    gain, number of categories on the left (-1 where nothing gains)
    """
    base = gain_of_nothing(total, dim, limits)
    present = np.flatnonzero(sums[: n_bins + 1, dim + 1] > 0)
    best, taken = 1e-12 * base, -1
    ratios = np.empty(len(present))
    left = np.empty(dim + 2)
    for axis in range(dim):
        for q in range(len(present)):
            cell = sums[present[q]]
            ratios[q] = cell[axis] / max(cell[dim] + limits.l2, 1e-300)
        order = present[np.argsort(ratios, kind="mergesort")]
        left[:] = 0.0
        for q in range(len(order) - 1):
            for k in range(dim + 2):
                left[k] += sums[order[q], k]
            gain = gain_of(left, total, dim, limits, base)
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
