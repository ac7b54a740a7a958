"""Values of alpha to try."""

from typing import Any

import numpy as np

from simplexcoding.arrays import Floats

GRID_SIZE = 100
_LEAST_SHARE_OF_LARGEST = 1e-8


def auto_grid(eigenvalues: Floats, size: float, eps: float) -> Floats:
    """The paper's grid: 100 values, geometric, from the largest eigenvalue down.

    It ends at the smallest eigenvalue that is no rounding, above size * eps times the
    largest, or at 1e-8 of the largest where that is lower: the best alpha can lie below
    the smallest eigenvalue.
    """
    largest = float(eigenvalues.max(initial=0.0))
    if largest <= 0:
        return np.geomspace(1.0, _LEAST_SHARE_OF_LARGEST, GRID_SIZE)
    sound = eigenvalues[eigenvalues > size * eps * largest]
    smallest = float(sound.min()) if sound.size else largest
    return np.geomspace(largest, min(smallest, _LEAST_SHARE_OF_LARGEST * largest), GRID_SIZE)


def given_grid(alphas: Any) -> Floats:
    """One number or an array, checked; falling."""
    values = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
    if values.ndim != 1 or not values.size:
        raise ValueError(
            f'alphas must be a number, a one-dimensional array or "auto", got {alphas!r}.'
        )
    for value in values:
        if not 0 < value < np.inf:
            raise ValueError(f"alphas must be positive and finite, got {value:g}.")
    return np.unique(values)[::-1]
