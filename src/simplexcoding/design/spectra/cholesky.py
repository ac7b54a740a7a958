"""Least squares on a large kernel matrix: one Cholesky factorisation for each alpha asked."""

from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_solve, get_blas_funcs, get_lapack_funcs

from simplexcoding.arrays import Floats, Indices, keep_unwritten
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.linear_algebra.deflation import DeflatedInverse, Leading
from simplexcoding.design.linear_algebra.eigen import largest_eigenvalue
from simplexcoding.design.linear_algebra.factor import cholesky_in_place
from simplexcoding.design.linear_algebra.products import double_product
from simplexcoding.design.moments import Moments
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.gram import GramSpectrum
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.spectra.spectrum import Coefficients, Spectrum
from simplexcoding.design.weighting import WeightedKernel

# A kernel of float32 values is factorised in single precision down to this fraction of its
# largest eigenvalue, with the leading directions apart in double precision. What left-out scores
# lose there, about 2e-3, they lose by the rounding of the values: double precision does no better.
SAFE_SINGLE = 1e-7
# One of float64 values, down to this fraction of the largest eigenvalue behind those directions.
_SAFE_REMAINDER = 5e-6
# For folds, which have no directions apart.
_SAFE_FOLDS = 3e-6
# Directions kept apart, and the rows there must be for each: of many rows the next eigenvalue
# is some hundredth of the first.
_LEADING, _ROWS_PER_DIRECTION = 32, 8

# Landmarks of the projection that says which alphas to ask: a fifth of the rows, within bounds.
_LEAST_PILOT, _MOST_PILOT, _ROWS_PER_LANDMARK = 300, 800, 5


class CholeskySpectrum(Spectrum):
    """A kernel matrix of which only single values of alpha are asked.

    One alpha costs a Cholesky factorisation and a triangular inverse, 2/3 n^3 operations,
    against about 9 n^3 slow ones for all eigenvectors. Results are kept by alpha.
    Where a factorisation fails the eigendecomposition takes over.
    """

    keeps_results = True

    def __init__(self, kernel: WeightedKernel) -> None:
        self._dtype: np.dtype[Any] = kernel.matrix.dtype
        self.targets = kernel.targets
        self.kernel = kernel
        self._roots = kernel.targets.roots.astype(kernel.matrix.dtype)
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
        size = np.clip(len(targets) // _ROWS_PER_LANDMARK, _LEAST_PILOT, _MOST_PILOT)
        size = min(int(size), len(targets))
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
        found = CholeskySpectrum(replace(self.kernel, matrix=part, targets=self.targets.take(rows)))
        if part.dtype == np.float32:
            found._leading = self._leading.of_rows(rows)
        return found

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

    def in_single(self) -> "CholeskySpectrum":
        """The same kernel, factorised in single precision where left-out scores keep 1e-3."""
        found = copy(self)
        found._dtype, found._spare = np.dtype(np.float32), None
        found._results, found._rough = {}, {}
        return found

    def _needed(self, alpha: float) -> Any:
        """The precision in which left-out scores at alpha are right."""
        if self._dtype == self.kernel.matrix.dtype:
            safe = alpha >= SAFE_SINGLE * self.eigenvalues[-1]
        else:
            safe = alpha >= _SAFE_REMAINDER * self._remainder
        return self._dtype if safe else np.dtype(np.float64)

    def _factorise_in(self, dtype: Any, alpha: float) -> tuple[Floats, Floats]:
        leading = self._leading if dtype == np.float32 else None
        factor = self._cholesky(alpha, dtype, leading)
        sides = self._sides(np.float64 if leading else dtype)
        if leading is None:
            solved = cho_solve((factor, True), sides, overwrite_b=True, check_finite=False)
        inverse = _inverted(factor)
        diagonal = np.einsum("ki,ki->i", inverse, inverse)
        if leading is not None:
            rest = DeflatedInverse(leading, partial(_times_square, inverse))
            solved = rest.apply(sides)
            # Once refined: predictions multiply what rounding left by the kernel.
            sides -= double_product(self.kernel.matrix, solved) + alpha * solved
            solved += rest.apply(sides)
            diagonal = diagonal - np.einsum("ij,ij->i", rest.taken, rest.taken)
        self._spare = inverse
        solved, ones = self._freed(solved)
        diagonal = (diagonal - np.square(ones)).astype(dtype, copy=False)
        if not (diagonal > 0).all():
            raise LinAlgError("rounding has taken the diagonal of the inverse")
        return solved, diagonal

    def _sides(self, dtype: Any) -> Floats:
        """Targets r Y, and a column r where there is an intercept."""
        sides = self.targets.one_hot(dtype) * self._roots[:, None].astype(dtype)
        return np.column_stack([sides, self._roots]) if self.kernel.intercept else sides

    def _freed(self, solved: Floats) -> tuple[Floats, Floats]:
        """A~ (n, T) with the intercept free, of Q r Y and Q r; and e (n,): Q loses e e' by it."""
        if not self.kernel.intercept:
            return solved, np.zeros(len(solved), dtype=solved.dtype)
        ones, solved = solved[:, -1], solved[:, :-1]
        total = self._roots @ ones
        if not total > 0:
            raise LinAlgError("rounding has taken what the intercept leaves")
        return solved - np.outer(ones, (self._roots @ solved) / total), ones / np.sqrt(total)

    @cached_property
    def _image(self) -> Floats:
        return double_product(self.kernel.matrix, self.targets.roots[:, None])[:, 0]

    @cached_property
    def _leading(self) -> Leading:
        size = min(_LEADING, len(self.targets) // _ROWS_PER_DIRECTION)
        return Leading.of(self.kernel.matrix, size)

    @cached_property
    def _remainder(self) -> float:
        return self._leading.remainder(self.kernel.matrix)

    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        return self._left_out(*self._solve(alpha))

    def _left_out(self, solved: Floats, diagonal: Floats) -> LeaveOneOut:
        return self.kernel.leave_one_out(solved.astype(diagonal.dtype, copy=False), diagonal)

    def roughly(self, alpha: float) -> tuple[LeaveOneOut, bool]:
        dtype = self._dtype
        if alpha not in self._results and dtype != self._needed(alpha):
            try:
                if alpha not in self._rough:
                    self._rough[alpha] = self._factorise_in(dtype, alpha)
                    keep_unwritten(*self._rough[alpha])
                return self._left_out(*self._rough[alpha]), False
            except LinAlgError:
                pass  # Too small for single precision even so.
        return self.leave_one_out(alpha), True

    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        """Errors of a fold F are (Q_FF)^-1 A_F; Q_FF from the columns F of the inverse factor."""
        safe = alpha >= _SAFE_FOLDS * self.eigenvalues[-1]
        try:
            inverse = _inverted(self._cholesky(alpha, self._dtype if safe else np.float64))
            solved, ones = self._freed(inverse.T @ (inverse @ self._sides(inverse.dtype)))
        except LinAlgError:
            return self._eigen().leave_out(folds, alpha)

        def fold_errors(fold: Indices) -> Floats:
            block = inverse[:, fold].T @ inverse[:, fold] - np.outer(ones[fold], ones[fold])
            return np.linalg.solve(block, solved[fold]) / self._roots[fold, None]

        return folds.left_out(self.targets.y, self.targets.n_classes, fold_errors)

    def coefficients(self, alpha: float) -> Coefficients:
        return self.kernel.coefficients(self._solve(alpha)[0], self._image)

    def effective_dimension(self, alphas: Floats) -> Floats:
        """N - alpha trace Q, less the intercept."""
        n_rows = len(self.targets) - self.kernel.intercept
        return np.array([n_rows - alpha * self._solve(alpha)[1].sum() for alpha in alphas])

    def _cholesky(self, alpha: float, dtype: Any, leading: Leading | None = None) -> Floats:
        """Lower factor of matrix + alpha I, with zeros above, in a precision.

        Without the leading part where there is one. In the memory of the last factor where it
        fits: fresh pages of an n x n matrix take longer than filling them.
        """
        shifted, self._spare = self._spare, None
        matrix = self.kernel.matrix
        if shifted is None or shifted.dtype != dtype:
            shifted = np.empty_like(matrix, dtype=dtype, order="F")
        if leading is None:
            # The transpose of a symmetric matrix is in Fortran order: copied straight, not turned.
            np.copyto(shifted.T, matrix)
        else:
            leading.fill_remainder(matrix, shifted)
        shifted.flat[:: len(shifted) + 1] += alpha
        return cholesky_in_place(shifted)

    def _eigen(self) -> GramSpectrum:
        if self._fallback is None:
            self._fallback = GramSpectrum(self.kernel)
        return self._fallback


def _inverted(factor: Floats) -> Floats:
    """The inverse of a lower factor in its own memory: Q = L^-T L^-1."""
    (trtri,) = get_lapack_funcs(("trtri",), (factor,))
    inverse, _ = trtri(factor, lower=1, overwrite_c=1)
    return np.asarray(inverse)


def _times_square(inverse: Floats, Q: Floats) -> Floats:
    """L^-T L^-1 Q, for the inverse L^-1 of a lower factor."""
    (trmm,) = get_blas_funcs(("trmm",), (inverse,))
    half = trmm(1.0, inverse, np.asfortranarray(Q, dtype=inverse.dtype), lower=1)
    return np.asarray(trmm(1.0, inverse, half, lower=1, trans_a=1, overwrite_b=1))
