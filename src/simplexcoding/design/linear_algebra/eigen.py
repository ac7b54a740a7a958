"""A symmetric eigendecomposition that does not give up."""

import numpy as np
from scipy.linalg import eigh, svd
from scipy.sparse.linalg import LinearOperator, eigsh

from simplexcoding.arrays import Floats


def symmetric_eigen(matrix: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues >= 0, rising, and eigenvectors of a positive semi-definite matrix.

    Eigenvalues below zero are rounding and are set to zero. Where one LAPACK driver fails
    another is tried, and last a singular value decomposition.
    """
    if not np.all(np.isfinite(matrix)):
        raise ValueError(
            "X or its kernel overflows: the matrix of inner products is not finite; scale X down."
        )
    # numpy's own: its threads still spin after a product, and slow those of scipy's down.
    for attempt in (np.linalg.eigh, _other_driver):
        try:
            values, vectors = attempt(matrix)
        except np.linalg.LinAlgError:
            continue
        return np.maximum(values, 0.0), vectors
    vectors, values, _ = svd(matrix, check_finite=False, lapack_driver="gesvd")
    return values[::-1], np.ascontiguousarray(vectors[:, ::-1])


def largest_eigenvalue(matrix: Floats, start: Floats) -> Floats:
    """The largest eigenvalue to some four digits, (1,), by a few products with the matrix."""
    # In units of its diagonal: ARPACK squares lengths, which may leave the range of the dtype.
    unit = np.diagonal(matrix).max()
    if not unit > 0:
        return np.zeros(1)
    scaled = LinearOperator(
        matrix.shape, matvec=lambda v: (matrix @ v.ravel()) / unit, dtype=matrix.dtype
    )
    # The error of the value is the square of the tolerance, which is one of the vector.
    found = eigsh(
        scaled,
        k=1,
        v0=start / np.abs(start).max(),
        ncv=min(8, len(matrix)),
        tol=1e-2,
        return_eigenvectors=False,
    )
    return np.asarray(found, dtype=np.float64) * float(unit)


def _other_driver(matrix: Floats) -> tuple[Floats, Floats]:
    values, vectors = eigh(matrix, driver="evr", check_finite=False)
    return values, vectors
