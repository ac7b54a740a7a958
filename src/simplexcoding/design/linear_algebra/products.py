"""Products by the BLAS of scipy, for work that takes turns with its factorisations.

After a product numpy's own threads spin for some milliseconds and share the cores with those of
scipy, which makes a factorisation of a few thousand rows half as slow again.
"""

import numpy as np
from scipy.linalg import get_blas_funcs

from simplexcoding.arrays import Floats, slices

# Rows of a float32 kernel that are taken to float64 at a time.
_ROWS_AT_A_TIME = 256


def product(A: Floats, B: Floats) -> Floats:
    """A B of two matrices of one dtype, in Fortran order; neither is copied if contiguous."""
    if not (A.size and B.size):
        return A @ B
    (gemm,) = get_blas_funcs(("gemm",), (A, B))
    (left, turn_left), (right, turn_right) = _in_fortran(A), _in_fortran(B)
    return np.asarray(gemm(1.0, left, right, trans_a=turn_left, trans_b=turn_right))


def double_product(K: Floats, B: Floats) -> Floats:
    """K B in float64, in Fortran order, for symmetric K of either precision."""
    if K.dtype == B.dtype or not B.size:
        return product(K.astype(B.dtype, copy=False), B)
    turned, (gemm,) = np.asfortranarray(B.T), get_blas_funcs(("gemm",), (B,))
    found = np.empty((len(K), B.shape[1]))
    room = np.empty((min(_ROWS_AT_A_TIME, len(K)), K.shape[1]))
    for rows in slices(len(K), _ROWS_AT_A_TIME):
        part = room[: rows.stop - rows.start]
        np.copyto(part, K[rows])
        # The transpose of rows is in Fortran order: written in place, not copied.
        gemm(1.0, turned, part.T, c=found[rows].T, overwrite_c=1)
    return np.asfortranarray(found)


def _in_fortran(A: Floats) -> tuple[Floats, int]:
    """A or its transpose in Fortran order, and whether it is the transpose."""
    return (A, 0) if A.flags.f_contiguous or not A.flags.c_contiguous else (A.T, 1)
