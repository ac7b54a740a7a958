"""What kernel values must be before anything is made of them."""

import numpy as np
from scipy.linalg import LinAlgError

from simplexcoding.arrays import Floats, slices
from simplexcoding.design.linear_algebra.factor import cholesky_in_place

# Up to this share of the largest diagonal entry, negative eigenvalues and differences between
# k(x, z) and k(z, x) are rounding: values may have been float32 once.
_ROUNDING = 1e-5
# Rows compared with their columns at a time.
_BLOCK = 512


def check_values(K: Floats) -> None:
    """Refuse values that are not finite, or one value for all pairs of rows."""
    low, high = float(K.min()), float(K.max())
    if not np.isfinite(low) or not np.isfinite(high):
        raise ValueError(
            f"kernel overflows or is undefined: its values run from {low:g} to {high:g}; scale X "
            "or gamma down."
        )
    if K.size > 1 and high - low <= 4 * np.finfo(K.dtype).eps * max(abs(low), abs(high)):
        raise ValueError(
            f"kernel gives one value, {high:g}, for all pairs of rows: it cannot tell them apart; "
            "raise gamma or check X."
        )


def check_symmetric(K: Floats) -> None:
    """Refuse a matrix that differs from its transpose by more than rounding."""
    tolerance = _ROUNDING * float(np.abs(np.diagonal(K)).max())
    for part in slices(len(K), _BLOCK):
        gap = float(np.abs(K[part] - K[:, part].T).max())
        if gap > max(tolerance, np.finfo(K.dtype).tiny):
            raise ValueError(
                f"kernel must be symmetric, got values k(x, z) and k(z, x) that differ by {gap:g}."
            )


def check_positive(K: Floats) -> None:
    """Refuse a matrix with eigenvalues clearly below zero; one Cholesky factorisation."""
    diagonal = np.diagonal(K)
    rounding = _ROUNDING + len(K) * float(np.finfo(K.dtype).eps)
    shifted = np.array(K.T, order="F")
    shifted.flat[:: len(K) + 1] += rounding * float(np.abs(diagonal).max())
    try:
        cholesky_in_place(shifted, clean=False)
    except LinAlgError:
        raise ValueError(
            "kernel must be positive semi-definite, got values that no inner product gives; use "
            "another kernel."
        ) from None
