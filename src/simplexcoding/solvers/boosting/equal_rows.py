"""Rows that no tree can tell apart, counted as one."""

from dataclasses import replace

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.held_out_folds import seeded_row_keys


def merged(rows: Rows, binned: BinnedRows) -> tuple[Rows, BinnedRows]:
    """Rows of equal bins and label as one row of their joint weight.

    All that a round does is linear in the weights of such rows, so it makes the same tree, to
    rounding, from fewer rows. Tables with many equal rows are common: logs, counts, categories.

    Returns
    -------
    the first row of each kind with the weight of all, and their bins with how many they are
    """
    kind = _kinds(binned, rows.y)
    n_kinds = int(kind.max()) + 1
    if n_kinds == len(rows):
        return rows, binned
    first = np.empty(n_kinds, dtype=np.intp)
    first[kind[::-1]] = np.arange(len(rows))[::-1]
    weights = np.bincount(kind, rows.weights).astype(np.float64)
    repeats = np.bincount(kind, binned.repeats).astype(np.float64)
    return (
        replace(rows.take(first), weights=weights),
        replace(binned.take(first), repeats=repeats),
    )


def _kinds(binned: BinnedRows, y: Indices) -> Indices:
    """Number of each row's kind, (n,): kinds are numbered as they come first. O(n p + n log n)."""
    keys = seeded_row_keys(binned.codes.T, 0)
    order = np.lexsort((keys, y))
    near = (keys[order[1:]] == keys[order[:-1]]) & (y[order[1:]] == y[order[:-1]])
    # Keys of 64 bits may agree by chance: equal bins decide.
    one, other = order[1:][near], order[:-1][near]
    same = np.ones(len(one), dtype=bool)
    for column in binned.codes:
        same &= column[one] == column[other]
    near[near] = same
    group = np.cumsum(np.r_[True, ~near]) - 1
    kind = np.empty(len(y), dtype=np.intp)
    kind[order] = group
    # lexsort is stable, so the first of a group is the row that comes first.
    first = order[np.r_[True, ~near]]
    rank = np.empty(len(first), dtype=np.intp)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[kind]
