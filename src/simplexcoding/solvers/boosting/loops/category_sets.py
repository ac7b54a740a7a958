"""Compiled sets of categories. This module imports Numba: import it late.

For one column of descent the best set of categories is a prefix of their order along it; for
several, prefixes of the orders along each are a heuristic, whose columns change from round to
round where they are random directions. Missing values are a category.
"""

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled

# A set of categories has one bit per bin: as many words as 256 bins need.
WORDS = 4

Sets = NDArray[np.int64]


@compiled(error_model="numpy")
def sort_categories(
    work: Floats, slot: int, j: int, n_bins: int, dim: int, limits: Floats, orders: Indices
) -> int:
    """Write the orders of the categories of work[slot, j] along D columns to orders[j].

    Returns
    -------
    how many categories have rows; only those are in the orders
    """
    present = np.flatnonzero(work[slot, j, : n_bins + 1, dim + 1] > 0)
    ratios = np.empty(len(present))
    for axis in range(dim):
        for q in range(len(present)):
            weight = work[slot, j, present[q], dim] + limits[0]
            ratios[q] = work[slot, j, present[q], axis] / max(weight, 1e-300)
        orders[j, axis, : len(present)] = present[np.argsort(ratios, kind="mergesort")]
    return len(present)


@compiled
def fill_set(orders: Indices, j: int, axis: int, size: int, sets: Sets, side: int) -> None:
    """Make sets[side, j] the first categories of an order."""
    for word in range(WORDS):
        sets[side, j, word] = 0
    for q in range(size):
        c = orders[j, axis, q]
        sets[side, j, c >> 6] |= np.int64(1) << (c & 63)


@compiled
def holds(words: Sets, code: int) -> bool:
    """Whether a set holds the bin of that number."""
    return (words[code >> 6] >> (code & 63)) & 1 != 0
