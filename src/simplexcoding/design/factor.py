"""A Cholesky factorisation in place, of matrices of any size."""

from contextlib import nullcontext

from scipy.linalg import LinAlgError, get_lapack_funcs
from threadpoolctl import threadpool_limits

from simplexcoding.arrays import Floats

# OpenBLAS 0.3.30 with more than one thread crashes on larger matrices (seen: 16,000 rows of
# float64; 14,000 are well).
_SAFE_BYTES = 1.6e9


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
