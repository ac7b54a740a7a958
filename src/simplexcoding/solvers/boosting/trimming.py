"""Rows of next to no weight, left out of a search. This module imports Numba: import it late.

Friedman, Hastie and Tibshirani (2000) call it weight trimming: after some rounds most rows are
all but certain, and the splits depend on the others.
"""

from math import frexp

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled

# Levels of curvature are powers of two, each cut in four; those below 2^-60 are one level.
_LEVELS = 4 * 61


@compiled
def _level(curvature: float) -> int:
    """Level of a number in [0, 1), the larger the higher."""
    part, power = frexp(curvature)
    return max(0, _LEVELS - 4 + 4 * power + int((part - 0.5) * 8.0)) if curvature > 0 else 0


@compiled
def heavy_rows(mass: Floats, weights: Floats, share: float) -> Indices:
    """Rows left when those of least mass per weight, up to a share of the whole mass, are gone.

    Rows of one level of mass / weight stay or go together, so that a weight counts as so many
    rows. O(n).

    Parameters
    ----------
    mass : (n,) array, weights times numbers in [0, 1)
    weights : (n,) array
    share : float in [0, 1)

    Returns
    -------
    ascending row numbers
    """
    n = len(mass)
    levels = np.empty(n, dtype=np.uint8)
    by_level = np.zeros(_LEVELS + 1)
    for i in range(n):
        levels[i] = min(_level(mass[i] / weights[i]), _LEVELS)
        by_level[levels[i]] += mass[i]
    allowed = share * by_level.sum()
    least, gone = 0, by_level[0]
    # Where there is no mass at all, all rows stay.
    while gone <= allowed and gone < by_level.sum():
        least += 1
        gone += by_level[least]
    kept = np.empty(n, dtype=np.intp)
    count = 0
    for i in range(n):
        if levels[i] >= least:
            kept[count] = i
            count += 1
    return kept[:count]
