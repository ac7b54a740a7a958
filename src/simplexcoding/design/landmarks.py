"""Finite features from landmark rows (Nystrom)."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import get_blas_funcs, get_lapack_funcs, solve_triangular

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.validity import check_positive, check_symmetric


@dataclass(frozen=True)
class LandmarkMap:
    """Features Phi = K_nm L^-T with L L' = K_mm: inner products are the projected kernel.

    Parameters
    ----------
    chosen : (r,) array, positions of the landmarks that are linearly independent
    factor : (r, r) lower triangular L of those landmarks
    """

    chosen: Indices
    factor: Floats

    @classmethod
    def of(cls, K: Floats) -> "LandmarkMap":
        """Factor K_mm (m, m), leaving out landmarks that the others span to rounding."""
        check_symmetric(K)
        K = np.asarray(K, dtype=np.float64)
        # Features are made in the dtype of the data, but never more finely than this.
        pstrf, potrf = get_lapack_funcs(("pstrf", "potrf"), (K,))
        floor = len(K) * np.finfo(np.float64).eps * np.diagonal(K).max()
        factor, info = potrf(K, lower=1, clean=1)
        if info == 0 and np.square(np.diagonal(factor)).min() > 100 * floor:
            return cls(np.arange(len(K)), factor)
        # No factor, or hardly one: values of no kernel at all are told from rounding.
        check_positive(K)
        factor, order, rank, _ = pstrf(K, tol=100 * floor, lower=1)
        factor = np.tril(factor[:rank, :rank])
        return cls(order[:rank].astype(np.intp) - 1, factor)

    def features(self, K: Floats) -> Floats:
        """Phi (n, r) of kernel values K (n, m) against the landmarks; K may be spent."""
        if len(self.chosen) < K.shape[1]:
            K = K[:, self.chosen]
        factor = self.factor.astype(K.dtype, copy=False)
        (trsm,) = get_blas_funcs(("trsm",), (factor, K))
        rows = np.ascontiguousarray(K)
        # The transpose of rows is in Fortran order: solved in place, no copy.
        return trsm(1.0, factor, rows.T, lower=1, overwrite_b=1).T

    def pull_back(self, weights: Floats, n_landmarks: int) -> Floats:
        """Coefficients on kernel values, (m, T), of weights on features, (r, T)."""
        solved = solve_triangular(self.factor, weights, lower=True, trans="T")
        full = np.zeros((n_landmarks, weights.shape[1]))
        full[self.chosen] = solved
        return full
