"""Rows of next to no weight, left out of a search.

Friedman, Hastie and Tibshirani (2000) call it weight trimming: after some rounds most rows are
all but certain, and the splits depend on the others.
"""

import numpy as np

from simplexcoding.arrays import Floats, Indices

# Levels of curvature are powers of two, each cut in four: the first bits of a float.
_BITS_OF_LEVEL = 50
_LOWEST_LEVEL = int(np.float64(2.0**-60).view(np.int64) >> _BITS_OF_LEVEL)


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
    levels = (mass / weights).view(np.int64) >> _BITS_OF_LEVEL
    levels = np.maximum(levels - _LOWEST_LEVEL, 0)
    by_level = np.cumsum(np.bincount(levels, mass))
    # Where there is no mass at all, all rows stay.
    gone = (by_level <= share * by_level[-1]) & (by_level < by_level[-1])
    return np.flatnonzero(levels >= np.count_nonzero(gone))
