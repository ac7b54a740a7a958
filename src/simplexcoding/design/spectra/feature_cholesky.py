"""Least squares on many features: one Cholesky factorisation for each alpha asked."""

from copy import copy

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, get_blas_funcs

from simplexcoding.arrays import Floats, Indices, keep_unwritten
from simplexcoding.design.linear_algebra.eigen import largest_eigenvalue
from simplexcoding.design.linear_algebra.factor import cholesky_in_place
from simplexcoding.design.moments import Moments, centred_blocks
from simplexcoding.design.spectra.feature_scan import positive_slack
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.spectra.spectrum import Coefficients, Spectrum
from simplexcoding.rows import Rows

# Triangular solves with single-precision features keep leverages to about 1e-3 down to this
# fraction of the largest eigenvalue; below it they are made in double precision.
SAFE_SINGLE = 1e-6


class FeatureCholesky(Spectrum):
    """Dense features Phi (n, p) of which only single values of alpha are asked.

    With L L' = scatter + alpha I the leverage of a row is w_i (1/sum w + ||L^-1 (phi_i - m)||^2):
    an alpha costs n p^2 + p^3/3 operations, against 2 n p^2 and some thirty p^3 slow ones for
    all eigenvectors. Results are kept by alpha. Where a factorisation fails, and for folds,
    the eigendecomposition takes over.

    Parameters
    ----------
    features : (n, p) array
    targets : Rows, labels and weights
    moments : Moments
    """

    keeps_results = True
    moments: Moments

    def __init__(self, features: Floats, targets: Rows, moments: Moments) -> None:
        self.targets = targets
        self.moments = moments
        self.features = features
        self.base = moments.base
        start = np.sqrt(np.maximum(np.diagonal(moments.scatter), np.finfo(np.float64).tiny))
        self.eigenvalues = np.maximum(largest_eigenvalue(moments.scatter, start), 0.0)
        self._results: dict[float, tuple[LeaveOneOut, Coefficients]] = {}
        self._whole: FeatureSpectrum | None = None

    def _solve(self, alpha: float) -> tuple[LeaveOneOut, Coefficients]:
        if alpha not in self._results:
            try:
                self._results[alpha] = self._factorise(alpha)
            except LinAlgError:
                eigen = self._eigen()
                self._results[alpha] = eigen.leave_one_out(alpha), eigen.coefficients(alpha)
            left_out, found = self._results[alpha]
            keep_unwritten(left_out.errors, left_out.slack, found.weights, found.intercept)
        return self._results[alpha]

    def _factorise(self, alpha: float) -> tuple[LeaveOneOut, Coefficients]:
        shifted = np.array(self.moments.scatter, order="F")
        shifted.flat[:: len(shifted) + 1] += alpha
        factor = cholesky_in_place(shifted)
        weights = cho_solve((factor, True), self.moments.class_sums.T, check_finite=False)
        found = Coefficients(weights, self.moments.intercept(weights))
        return self._left_out(factor, found, alpha), found

    def _left_out(self, factor: Floats, found: Coefficients, alpha: float) -> LeaveOneOut:
        """Training errors and slacks of all rows, a block at a time."""
        targets, dtype = self.targets, self.features.dtype
        safe = alpha >= SAFE_SINGLE * self.eigenvalues[-1]
        solve_dtype = dtype if safe else np.dtype(np.float64)
        factor = factor.astype(solve_dtype, copy=False)
        weights = found.weights.astype(solve_dtype)
        (trsm,) = get_blas_funcs(("trsm",), (factor,))
        errors = np.empty((len(targets), targets.n_classes), dtype=dtype)
        leverages = np.empty(len(targets))
        for rows, block in centred_blocks(self.features, self.moments.mean, solve_dtype):
            errors[rows] = block @ -weights
            # The transpose of a block is in Fortran order: solved in place, no copy.
            solved = trsm(1.0, factor, block.T, lower=1, overwrite_b=1)
            leverages[rows] = np.einsum("ij,ij->j", solved, solved)
        if self.base is not None:
            errors -= self.base.astype(dtype)
            leverages += 1 / self.moments.total
        if targets.weights is not None:
            leverages *= targets.weights
        errors[np.arange(len(errors)), targets.y] += 1
        return LeaveOneOut(errors, positive_slack(leverages.astype(dtype)), targets.y)

    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        return self._solve(alpha)[0]

    def sample(self, rows: Indices) -> "FeatureCholesky":
        """The same fit, asked about some of its rows only: b p^2 + p^3/3 operations per alpha.

        In single precision where the leverages allow it: a sample chooses, nothing is kept of it.
        """
        part = copy(self)
        part.targets = self.targets.take(rows)
        part.features = self.features[rows].astype(np.float32)
        part._results, part._whole = {}, None
        return part

    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        return self._eigen().leave_out(folds, alpha)

    def coefficients(self, alpha: float) -> Coefficients:
        return self._solve(alpha)[1]

    def effective_dimension(self, alphas: Floats) -> Floats:
        """The sum of the leverages, less the intercept's one."""
        dimensions = [np.sum(1 - self._solve(alpha)[0].slack, dtype=np.float64) for alpha in alphas]
        return np.array(dimensions) - (self.base is not None)

    def _eigen(self) -> FeatureSpectrum:
        if self._whole is None:
            self._whole = FeatureSpectrum(self.features, self.targets, self.moments)
        return self._whole
