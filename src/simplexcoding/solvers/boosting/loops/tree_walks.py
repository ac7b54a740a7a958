"""Compiled walks down the trees of a forest. This module imports Numba: import it late."""

from typing import Any

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.loops.category_sets import Sets, holds
from simplexcoding.threads import in_parts

# Rows that walk down a tree together: their answers stay in cache from tree to tree.
_BLOCK = 64
# Steps below which a second thread costs more than it brings.
_LEAST_WORK_FOR_THREADS = 1 << 16


@compiled
def _add_to_rows(
    X: Floats, features: Indices, thresholds: Floats, missing_left: Bools, set_of: Indices,
    sets: Any, values: Floats, coordinates: Indices, F: Floats, first: int, last: int,
) -> None:  # fmt: skip
    nodes, dim = features.shape[1], F.shape[1]
    for start in range(first, last, _BLOCK):
        stop = start + _BLOCK if start + _BLOCK < last else last
        for t in range(len(features)):
            for i in range(start, stop):
                node = 0
                while node < nodes:
                    value = X[i, features[t, node]]
                    if value != value:
                        left = missing_left[t, node]
                    else:
                        left = value <= thresholds[t, node]
                        if sets is not None and set_of[t, node] >= 0:
                            left = False
                            if 0 <= value < 256:
                                left = holds(sets[set_of[t, node]], int(value))
                    node = 2 * node + (1 if left else 2)
                if coordinates[t] >= 0:
                    F[i, coordinates[t]] += values[t, node - nodes, 0]
                else:
                    for k in range(dim):
                        F[i, k] += values[t, node - nodes, k]


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
    # Without sets, what it takes to look into one is not even compiled.
    some_sets = sets if len(sets) else None
    arrays = (X, features, thresholds, missing_left, set_of, some_sets, values, coordinates, F)
    work = len(X) * len(features) * max(features.shape[1], values.shape[2])
    in_parts(
        lambda first, last: _add_to_rows(*arrays, first, last),
        len(X),
        work >= _LEAST_WORK_FOR_THREADS,
    )
