"""Least squares on a large kernel matrix: one Cholesky factorisation for each alpha asked."""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, get_lapack_funcs

from simplexcoding.arrays import Floats, Indices, keep_unwritten
from simplexcoding.design.eigen import largest_eigenvalue
from simplexcoding.design.factor import cholesky_in_place
from simplexcoding.design.features import FeatureSpectrum
from simplexcoding.design.gram import GramSpectrum
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.moments import Moments
from simplexcoding.design.spectrum import Coefficients, Spectrum
from simplexcoding.design.weighting import WeightedKernel

# Single precision keeps left-out scores to about 1e-3 (the worst row to 4e-3) down to this
# fraction of the largest eigenvalue; below it the factorisation is made in double precision.
SAFE_SINGLE = 3e-6


# Landmarks of the projection that says which alphas to ask.
_PILOT_LANDMARKS = 800


class CholeskySpectrum(Spectrum):
    """A kernel matrix of which only single values of alpha are asked.

    One alpha costs a Cholesky factorisation and a triangular inverse, 2/3 n^3 operations,
    against about 9 n^3 slow ones for all eigenvectors. Results are kept by alpha.
    Where a factorisation fails the eigendecomposition takes over.
    """

    keeps_results = True

    def __init__(self, kernel: WeightedKernel) -> None:
        self.targets = kernel.targets
        self.kernel = kernel
        self._roots = kernel.targets.roots.astype(kernel.matrix.dtype)
        self._image = kernel.matrix @ self._roots
        self.eigenvalues = largest_eigenvalue(kernel.matrix, self._roots)
        self._results: dict[float, tuple[Floats, Floats]] = {}
        self._rough: dict[float, tuple[Floats, Floats]] = {}
        self._spare: Floats | None = None
        self._fallback: GramSpectrum | None = None

    @property
    def rounding(self) -> float:
        return float(np.finfo(self.kernel.matrix.dtype).eps)

    def stand_in(self, n_alphas: int, cheap: bool = True) -> FeatureSpectrum:
        """The kernel projected on a few of its rows; its dimension is its own."""
        targets, matrix = self.targets, self.kernel.matrix
        size = min(_PILOT_LANDMARKS, len(targets))
        chosen = np.random.default_rng(0).choice(len(targets), size, replace=False)
        landmarks = LandmarkMap.of(matrix[np.ix_(chosen, chosen)])
        # Whole rows of a symmetric matrix are read far faster than columns.
        features = landmarks.features(matrix[chosen].T / self._roots[:, None])
        return FeatureSpectrum(
            features, targets, Moments.of(features, targets, self.kernel.intercept)
        )

    def alone(self, rows: Indices) -> "CholeskySpectrum":
        """The fit of some of the rows alone."""
        part = self.kernel.matrix[np.ix_(rows, rows)]
        return CholeskySpectrum(replace(self.kernel, matrix=part, targets=self.targets.take(rows)))

    def _solve(self, alpha: float) -> tuple[Floats, Floats]:
        """A~ (n, T) and the diagonal of the inverse, (n,)."""
        if alpha not in self._results:
            try:
                self._results[alpha] = self._factorise(alpha)
            except LinAlgError:
                eigen = self._eigen()
                diagonal = eigen.diagonals(np.array([alpha]))[:, 0]
                self._results[alpha] = eigen.solve(alpha), diagonal
            keep_unwritten(*self._results[alpha])
        return self._results[alpha]

    def _factorise(self, alpha: float) -> tuple[Floats, Floats]:
        return self._factorise_in(self._needed(alpha), alpha)

    def _needed(self, alpha: float) -> Any:
        """The precision in which left-out scores at alpha are right."""
        dtype = self.kernel.matrix.dtype
        return dtype if alpha >= SAFE_SINGLE * self.eigenvalues[-1] else np.dtype(np.float64)

    def _factorise_in(self, dtype: Any, alpha: float) -> tuple[Floats, Floats]:
        factor = self._cholesky(alpha, dtype)
        sides = self.targets.one_hot(factor.dtype) * self._roots[:, None]
        if self.kernel.intercept:
            sides = np.column_stack([sides, self._roots])
        solved = cho_solve((factor, True), sides, overwrite_b=True, check_finite=False)
        (trtri,) = get_lapack_funcs(("trtri",), (factor,))
        inverse, _ = trtri(factor, lower=1, overwrite_c=1)
        diagonal = np.einsum("ki,ki->i", inverse, inverse)
        self._spare = inverse
        if self.kernel.intercept:
            ones, solved = solved[:, -1], solved[:, :-1]
            total = self._roots @ ones
            solved = solved - np.outer(ones, (self._roots @ solved) / total)
            diagonal -= ones**2 / total
        return solved, diagonal

    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        return self.kernel.leave_one_out(*self._solve(alpha))

    def roughly(self, alpha: float) -> tuple[LeaveOneOut, bool]:
        dtype = self.kernel.matrix.dtype
        if alpha not in self._results and dtype != self._needed(alpha):
            try:
                if alpha not in self._rough:
                    self._rough[alpha] = self._factorise_in(dtype, alpha)
                    keep_unwritten(*self._rough[alpha])
                return self.kernel.leave_one_out(*self._rough[alpha]), False
            except LinAlgError:
                pass  # Too small for single precision even so.
        return self.leave_one_out(alpha), True

    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        """Errors of a fold F are (Q_FF)^-1 A_F; Q_FF from the columns F of the inverse factor."""
        solved, _ = self._solve(alpha)
        try:
            inverse, ones, total = self._inverse_factor(alpha)
        except LinAlgError:
            return self._eigen().leave_out(folds, alpha)

        def fold_errors(fold: Indices) -> Floats:
            block = inverse[:, fold].T @ inverse[:, fold]
            if self.kernel.intercept:
                block -= np.outer(ones[fold], ones[fold]) / total
            return np.linalg.solve(block, solved[fold]) / self._roots[fold, None]

        return folds.left_out(self.targets.y, self.targets.n_classes, fold_errors)

    def _inverse_factor(self, alpha: float) -> tuple[Floats, Floats, float]:
        """L^-1 (n, n), Q r (n,) and r'Q r, Q = L^-T L^-1 the inverse of the matrix."""
        factor = self._cholesky(alpha, self._needed(alpha))
        (trtri,) = get_lapack_funcs(("trtri",), (factor,))
        inverse, _ = trtri(factor, lower=1, overwrite_c=1)
        ones = inverse.T @ (inverse @ self._roots)
        return inverse, ones, float(self._roots @ ones)

    def coefficients(self, alpha: float) -> Coefficients:
        return self.kernel.coefficients(self._solve(alpha)[0], self._image)

    def effective_dimension(self, alphas: Floats) -> Floats:
        """N - alpha trace Q, less the intercept."""
        n_rows = len(self.targets) - self.kernel.intercept
        return np.array([n_rows - alpha * self._solve(alpha)[1].sum() for alpha in alphas])

    def _cholesky(self, alpha: float, dtype: Any) -> Floats:
        """Lower factor of matrix + alpha I, with zeros above, in a precision.

        In the memory of the last one where it fits: fresh pages of an n x n matrix take
        longer than filling them.
        """
        shifted, self._spare = self._spare, None
        # The transpose of a symmetric matrix is in Fortran order: copied straight, not turned.
        matrix = self.kernel.matrix.T
        if shifted is None or shifted.dtype != dtype:
            shifted = np.empty_like(matrix, dtype=dtype, order="F")
        np.copyto(shifted, matrix)
        shifted.flat[:: len(shifted) + 1] += alpha
        return cholesky_in_place(shifted)

    def _eigen(self) -> GramSpectrum:
        if self._fallback is None:
            self._fallback = GramSpectrum(self.kernel)
        return self._fallback
