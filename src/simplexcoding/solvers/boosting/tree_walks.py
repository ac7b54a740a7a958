"""Compiled walks down the trees of a forest. This module imports Numba: import it late."""

from math import isnan

from numba import prange

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.split_search import Sets, holds

# Rows that walk down a tree together: their answers stay in cache from tree to tree.
_BLOCK = 64
# Steps below which a second thread costs more than it brings.
_WORTH_A_THREAD = 1 << 16


@compiled
def goes_left(value: float, threshold: float, missing_left: bool, words: Sets) -> bool:
    """Whether a value goes left; `words` is empty where it is compared with the threshold."""
    if isnan(value):
        return missing_left
    if len(words):
        return 0 <= value < 256 and holds(words, int(value))
    return value <= threshold


@compiled
def _add_to_block(
    X: Floats, features: Indices, thresholds: Floats, missing_left: Bools, set_of: Indices,
    sets: Sets, values: Floats, coordinates: Indices, F: Floats, block: int,
) -> None:  # fmt: skip
    nodes, dim = features.shape[1], F.shape[1]
    first, last = block * _BLOCK, min((block + 1) * _BLOCK, len(X))
    no_set = sets[:0].ravel()
    for t in range(len(features)):
        for i in range(first, last):
            node = 0
            while node < nodes:
                s = set_of[t, node]
                words = sets[s] if s >= 0 else no_set
                left = goes_left(
                    X[i, features[t, node]], thresholds[t, node], missing_left[t, node], words
                )
                node = 2 * node + (1 if left else 2)
            value = values[t, node - nodes]
            if coordinates[t] >= 0:
                F[i, coordinates[t]] += value[0]
            else:
                for k in range(dim):
                    F[i, k] += value[k]


@compiled
def _blocks(n_rows: int) -> int:
    return (n_rows + _BLOCK - 1) // _BLOCK


@compiled
def _add_all(
    X: Floats, features: Indices, thresholds: Floats, missing_left: Bools, set_of: Indices,
    sets: Sets, values: Floats, coordinates: Indices, F: Floats,
) -> None:  # fmt: skip
    for block in range(_blocks(len(X))):
        _add_to_block(
            X, features, thresholds, missing_left, set_of, sets, values, coordinates, F, block
        )  # fmt: skip


@compiled(parallel=True)
def _add_all_in_threads(
    X: Floats, features: Indices, thresholds: Floats, missing_left: Bools, set_of: Indices,
    sets: Sets, values: Floats, coordinates: Indices, F: Floats,
) -> None:  # fmt: skip
    for block in prange(_blocks(len(X))):
        _add_to_block(
            X, features, thresholds, missing_left, set_of, sets, values, coordinates, F, block
        )  # fmt: skip


def add_trees(
    X: Floats,
    features: Indices,
    thresholds: Floats,
    missing_left: Bools,
    set_of: Indices,
    sets: Sets,
    values: Floats,
    coordinates: Indices,
    F: Floats,
) -> None:
    """Add the answers of M trees at the rows of X to F, (n, T-1), in place.

    features, thresholds, missing_left, set_of : (M, 2^d - 1), nodes of complete trees by level
    sets : (s, 4) array
    values : (M, 2^d, width); width T-1, or 1 for trees that answer on one coordinate
    coordinates : (M,) array
    """
    from simplexcoding.solvers.boosting.threads import with_threads

    work = len(X) * len(features) * max(features.shape[1], values.shape[2])
    with with_threads(work >= _WORTH_A_THREAD) as in_threads:
        add = _add_all_in_threads if in_threads else _add_all
        add(X, features, thresholds, missing_left, set_of, sets, values, coordinates, F)
