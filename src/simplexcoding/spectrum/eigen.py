"""A symmetric eigendecomposition that does not give up."""

import numpy as np
from scipy.linalg import LinAlgError, eigh, svd

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
    for driver in ("evd", "evr"):
        try:
            values, vectors = eigh(matrix, driver=driver, check_finite=False)
        except LinAlgError:
            continue
        return np.maximum(values, 0.0), vectors
    vectors, values, _ = svd(matrix, check_finite=False, lapack_driver="gesvd")
    return values[::-1], np.ascontiguousarray(vectors[:, ::-1])
