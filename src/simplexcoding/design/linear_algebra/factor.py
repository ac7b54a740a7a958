"""A Cholesky factorisation in place, of matrices of any size, and solves with few columns."""

from contextlib import nullcontext

import numpy as np
from scipy.linalg import LinAlgError, get_lapack_funcs
from threadpoolctl import threadpool_limits

from simplexcoding.arrays import Floats, slices

# OpenBLAS 0.3.30 with more than one thread crashes on larger matrices (seen: 16,000 rows of
# float64; 14,000 are well).
_SAFE_BYTES = 1.6e9
# Rows of a block whose diagonal part is inverted: few, so that the inverses cost next to nothing.
_BLOCK = 256


def few_threads(matrix: Floats) -> threadpool_limits | nullcontext[None]:
    """One BLAS thread for a matrix that several would crash on, else as many as there are."""
    return threadpool_limits(1) if matrix.nbytes > _SAFE_BYTES else nullcontext()


def cholesky_in_place(matrix: Floats, clean: bool = True) -> Floats:
    """Lower factor of a Fortran-ordered positive definite matrix, in its own memory.

    Raises LinAlgError where it is not positive definite to rounding.
    """
    (potrf,) = get_lapack_funcs(("potrf",), (matrix,))
    with few_threads(matrix):
        factor, info = potrf(matrix, lower=1, overwrite_a=1, clean=int(clean))
    if info:
        raise LinAlgError("the matrix is not positive definite to rounding")
    return factor


class TriangularSolves:
    """(L L')^-1 Q for few columns, by products that read L once in each direction.

    The diagonal blocks of L are inverted, which leaves products of blocks of rows: with a few
    columns these take the time of reading L, and a BLAS triangular solve three times that in
    float32.

    Parameters
    ----------
    L : (n, n) lower factor in Fortran order; what stands above its diagonal is not read
    """

    def __init__(self, L: Floats) -> None:
        self._L = L
        self._blocks = [*slices(len(L), _BLOCK)]
        (trtri,) = get_lapack_funcs(("trtri",), (L,))
        self._inverses = [
            np.tril(trtri(np.asfortranarray(L[rows, rows]), lower=1)[0]) for rows in self._blocks
        ]

    def solve(self, Q: Floats) -> Floats:
        """(L L')^-1 Q for Q (n, q), in the dtype of L."""
        L, X = self._L, np.array(Q, dtype=self._L.dtype, order="C")
        for rows, inverse in zip(self._blocks, self._inverses, strict=True):
            X[rows] = inverse @ (X[rows] - L[rows, : rows.start] @ X[: rows.start])
        for rows, inverse in zip(self._blocks[::-1], self._inverses[::-1], strict=True):
            X[rows] = inverse.T @ (X[rows] - L[rows.stop :, rows].T @ X[rows.stop :])
        return X
