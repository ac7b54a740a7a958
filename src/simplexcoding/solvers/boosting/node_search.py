"""Compiled sums by bin, and the best split of each feature. This module imports Numba: import late.

The best splits of the m features that may be split are four arrays: `gains`, `cuts` (the last
bin on the left; -1 where nothing gains), `missing_left`, all (2, m), and `sets`, (2, m, WORDS),
the bins on the left where a feature is categorical. `sets` is None where no feature is: what
it takes to split categories is then not even compiled.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.split_search import best_cut, best_set, holds

Codes = NDArray[np.uint8]

# Sums of a group of features stay in the second cache while a block of rows is added to them.
_FEATURES_TOGETHER = 8
_ROWS_TOGETHER = 128


@compiled(inline="always")
def add_rows(
    codes: Codes, candidates: Indices, members: Indices, table: Floats, begin: int, end: int,
    work: Floats, slot: int, first: int, last: int,
) -> None:  # fmt: skip
    """Add table rows begin..end-1 to work[slot] for candidates first..last-1."""
    width = table.shape[1]
    for start in range(begin, end, _ROWS_TOGETHER):
        stop = min(start + _ROWS_TOGETHER, end)
        for j in range(first, last):
            feature = candidates[j]
            for q in range(start, stop):
                b = codes[feature, members[q]]
                for k in range(width):
                    work[slot, j, b, k] += table[q, k]


@compiled(error_model="numpy")
def search(
    codes: Codes, n_bins: Indices, categorical: Bools, candidates: Indices, members: Indices,
    table: Floats, begin: int, end: int, work: Floats, small: int, large: int, parent: int,
    totals: Floats, dim: int, limits: Floats, gains: Floats, cuts: Indices, missing_left: Bools,
    sets: Any, first: int, last: int,
) -> None:  # fmt: skip
    """Find the best splits of a node and of its sibling, for candidates first..last-1.

    The histogram of the first node is summed, that of the second is what is left of the
    parent's. O(rows m K + m B K).

    Parameters
    ----------
    codes, n_bins, categorical : (p, n), (p,) and (p,) arrays of `BinnedRows`
    candidates : (m,) array, features that may be split
    members, table : (n,) and (n, K) arrays; begin..end-1 are the rows of the first node, and
        begin is -1 where its histogram is known
    work : (2d, m, B, K) array of histograms
    small, large, parent : places in work of both nodes and of their parent; large is -1 where
        there is one node only
    totals : (2, K) array, sums of both nodes
    gains, cuts, missing_left, sets : overwritten
    """
    width = table.shape[1]
    left = np.empty(width)
    for group in range(first, last, _FEATURES_TOGETHER):
        stop = min(group + _FEATURES_TOGETHER, last)
        if begin >= 0:
            for j in range(group, stop):
                for b in range(n_bins[candidates[j]] + 1):
                    for k in range(width):
                        work[small, j, b, k] = 0.0
            add_rows(codes, candidates, members, table, begin, end, work, small, group, stop)
        for j in range(group, stop):
            feature = candidates[j]
            bins = n_bins[feature]
            if large >= 0:
                for b in range(bins + 1):
                    for k in range(width):
                        work[large, j, b, k] = work[parent, j, b, k] - work[small, j, b, k]
            for side in range(2 if large >= 0 else 1):
                slot = large if side == 1 else small
                if sets is not None and categorical[feature]:
                    words = sets[side, j]
                    gains[side, j], cuts[side, j] = best_set(
                        work[slot, j], bins, totals, side, dim, limits, words
                    )
                    missing_left[side, j] = holds(words, bins)
                    continue
                gains[side, j], cuts[side, j], missing_left[side, j] = best_cut(
                    work, slot, j, bins, totals, side, dim, limits, left
                )
