"""Finite features from landmark rows (Nystrom)."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import get_blas_funcs, get_lapack_funcs, solve_triangular

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.validity import check_positive, check_symmetric

# "auto" landmarks: exact up to this many rows, then so many times (n / EXACT_ROWS)^(1/4), and
# never more than so many, nor than so many kernel values (4 GB in float64).
EXACT_ROWS = 8000
_LANDMARKS, _MOST_LANDMARKS = 3000, 5000
_MOST_KERNEL_VALUES = 5e8


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


def most_landmarks(n_rows: int) -> int:
    """The largest number of landmarks that time and memory allow "auto" on so many rows."""
    return int(min(_MOST_LANDMARKS, _MOST_KERNEL_VALUES / max(n_rows, 1)))


def landmark_count(asked: int | str | None, n_rows: int) -> int | None:
    """How many landmarks a kernel on n rows is projected on, None for the whole kernel.

    "auto" keeps the whole kernel up to 8,000 rows; then the number grows with the fourth
    root of the rows, up to `most_landmarks`.
    """
    if asked is None:
        return None
    if isinstance(asked, str):
        if n_rows <= EXACT_ROWS:
            return None
        asked = usual_landmarks(n_rows)
    return min(int(asked), n_rows)


def usual_landmarks(n_rows: int) -> int:
    """How many landmarks "auto" takes where left-out rows are not asked."""
    return min(int(_LANDMARKS * (n_rows / EXACT_ROWS) ** 0.25), most_landmarks(n_rows))
