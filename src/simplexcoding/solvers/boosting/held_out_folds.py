"""Rows held out to watch the rounds, chosen by what the rows are, not by where they stand."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices

# Constants of the splitmix64 generator, which scatters any 64 bits evenly.
_SPLITMIX_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_FIRST_MULTIPLIER, _SECOND_MULTIPLIER = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def held_out_folds(
    X: Floats, y: Indices, weights: Floats, n_folds: int, seed: int
) -> NDArray[np.intp]:
    """Fold of each row, (n,) numbers below n_folds, or -1 for rows that are never held out.

    Rows of a class are put in an order that depends on the seed and on their own numbers only,
    and cut where the weight reaches each share. So equal rows fall in one fold, a weight counts
    as so many rows, and the order of the rows plays no part. A class whose rows are all equal
    is never held out: nothing could be learnt of it.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.arange(10.0)[:, None], np.repeat([0, 1], 5)
    >>> np.bincount(held_out_folds(X, y, np.ones(10), 5, seed=0))
    array([2, 2, 2, 2, 2])
    """
    keys = seeded_row_keys(X, seed)
    order = np.lexsort((keys, y))
    y, keys, weights = y[order], keys[order], weights[order]
    new_class = np.r_[True, y[1:] != y[:-1]]
    group = np.cumsum(np.r_[True, (keys[1:] != keys[:-1])] | new_class) - 1
    of_group = y[np.flatnonzero(np.diff(group, prepend=-1))]
    mass = np.bincount(group, weights)
    total = np.bincount(of_group, mass)
    before = np.cumsum(mass) - mass
    first = np.r_[True, of_group[1:] != of_group[:-1]]
    start = before[first][np.cumsum(first) - 1]
    share = (before - start + mass / 2) / total[of_group]
    fold = np.minimum((share * n_folds).astype(np.intp), n_folds - 1)
    groups_of_class = np.bincount(of_group)
    fold[groups_of_class[of_group] < 2] = -1
    fold[_alone(of_group, fold, n_folds)] = -1
    out = np.empty(len(y), dtype=np.intp)
    out[order] = fold[group]
    return out


def _alone(of_group: Indices, fold: Indices, n_folds: int) -> NDArray[np.bool_]:
    """Groups of a class that has all of them in one fold: the first stays to be learnt from."""
    pair = of_group * (n_folds + 1) + fold + 1
    same = np.bincount(pair)[pair] == np.bincount(of_group)[of_group]
    first = np.r_[True, of_group[1:] != of_group[:-1]]
    return same & first


def seeded_row_keys(X: Any, seed: int) -> NDArray[np.uint64]:
    """A number of 64 bits for each row of X, (n, p), the same for equal rows. O(n p)."""
    key = np.full(len(X), np.uint64(seed) + _SPLITMIX_INCREMENT)
    with np.errstate(over="ignore"):
        for j in range(X.shape[1]):
            # Adding zero makes -0 and 0 one; all missing values are one.
            column = X[:, j].astype(np.float64) + 0.0
            column[np.isnan(column)] = np.nan
            key = _scattered(key ^ column.view(np.uint64))
    return key


def _scattered(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """One step of splitmix64."""
    bits = bits + _SPLITMIX_INCREMENT
    bits = (bits ^ (bits >> np.uint64(30))) * _FIRST_MULTIPLIER
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND_MULTIPLIER
    return bits ^ (bits >> np.uint64(31))
