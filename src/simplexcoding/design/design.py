"""Rows under a kernel in the smallest form there is, and the way back to functions of new rows.

Least squares and margin machines both begin here. `design_for` gives a `FeatureDesign`, features
whose inner products are the kernel, or a `KernelDesign`, the kernel values of all pairs of rows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack, issparse

from simplexcoding.arrays import Floats, Indices, common_offset, moved
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.moments import Moments
from simplexcoding.design.operators import Data, Spectral, kernel_data
from simplexcoding.design.spectra.cholesky import CholeskySpectrum
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.gram import GramSpectrum
from simplexcoding.design.spectra.sparse_cholesky import MOST_ROTATED, SparseCholesky
from simplexcoding.design.spectra.sparse_features import rotated_spectrum, stays_sparse
from simplexcoding.design.spectra.spectrum import Coefficients, Spectrum
from simplexcoding.design.validity import check_positive, check_symmetric, check_values
from simplexcoding.design.weighting import WeightedKernel
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel, distinct_sample
from simplexcoding.rows import Rows, Training

# Up to this many rows one eigendecomposition is cheaper than a handful of Cholesky
# factorisations and answers every alpha.
EIGEN_ROWS = 1500
# "auto" landmarks: exact up to this many rows, then so many times (n / EXACT_ROWS)^(1/4), and
# never more than so many, nor than so many kernel values (4 GB in float64).
EXACT_ROWS = 8000
_LANDMARKS, _MOST_LANDMARKS = 3000, 5000
_MOST_KERNEL_VALUES = 5e8
# Margin machines multiply kernel values by boxes, duals and each other.
_LARGEST_FOR_MARGINS = 1e100


@dataclass(frozen=True)
class Basis:
    """What coefficients on a design are on the input: on its features, or on kernel values.

    Parameters
    ----------
    X : (n, p) array or CSR matrix; the kernel matrix (n, n) where the kernel is precomputed
    kernel : Kernel
    landmarks, landmark_map : rows that the kernel is projected on, and their features, or None
    by_row : bool
        Whether a design has a coefficient for each row, and not for each feature.
    shift : (p,) array or None
        What was taken off the features of a linear kernel; a free intercept gives it back.
    """

    X: Any
    kernel: Kernel
    landmarks: Indices | None = None
    landmark_map: LandmarkMap | None = None
    by_row: bool = False
    shift: Floats | None = None

    def on_input(self, found: Coefficients) -> Coefficients:
        """Scores as x @ weights + intercept, or k(x) @ weights + intercept."""
        weights, intercept = found.weights, found.intercept
        if self.landmark_map is not None and self.landmarks is not None:
            weights = self.landmark_map.pull_back(weights, len(self.landmarks))
        if not self.kernel.linear:
            return Coefficients(weights, intercept)
        if self.by_row:
            weights = shifted(self.X, self.kernel, self.shift).T @ weights
            weights = weights.toarray() if issparse(weights) else np.asarray(weights)
            intercept = intercept if self.shift is None else intercept - self.shift @ weights
        scale = self.kernel.scale
        return Coefficients(weights if scale is None else weights / scale[:, None], intercept)

    def function(self, found: Coefficients, numbers: Indices | None = None) -> Function:
        """Scores of new rows, in the dtype of X.

        `numbers` are those that the owner of a precomputed kernel gives to the rows.
        """
        found = self.on_input(found)
        weights = found.weights.astype(self.X.dtype, copy=False)
        intercept = found.intercept.astype(self.X.dtype, copy=False)
        if self.kernel.linear:
            return LinearFunction(weights, intercept)
        if self.kernel.precomputed:
            basis = np.arange(len(weights)) if self.landmarks is None else self.landmarks
            basis = basis if numbers is None else numbers[basis]
        else:
            basis = self.X if self.landmarks is None else self.X[self.landmarks]
        return KernelExpansion(self.kernel, basis, weights, intercept)


@dataclass(frozen=True)
class FeatureDesign:
    """Features (n, q) whose inner products are the kernel, and what they stand on.

    Parameters
    ----------
    features : (n, q) array or CSR matrix
    basis : Basis
    """

    features: Any
    basis: Basis

    def moments(self, targets: Rows, intercept: bool) -> Moments:
        """Mean, scatter and class sums of the features."""
        if self.basis.landmarks is None:
            return Moments.of(self.features, targets, intercept)
        # Rounding in products of float32 features is that of the features themselves.
        return Moments.of(self.features, targets, intercept, self.features.dtype)

    def spectrum(self, targets: Rows, intercept: bool, moments: Moments | None = None) -> Spectrum:
        """Least squares with a free intercept, factorised, by moments that may be known."""
        moments = moments or self.moments(targets, intercept)
        if self.basis.landmarks is None:
            return feature_spectrum(self.features, targets, moments)
        return FeatureSpectrum(self.features, targets, moments)

    def operator(self, intercept: bool) -> Data:
        """The kernel as one linear operator, with one added to it for an intercept."""
        spend = self.basis.landmarks is not None
        return Spectral.of_features(with_ones(self.features) if intercept else self.features, spend)


@dataclass(frozen=True)
class KernelDesign:
    """Kernel values (n, n) of all pairs of rows, and what they stand on.

    Parameters
    ----------
    matrix : (n, n) array
    basis : Basis
    """

    matrix: Floats
    basis: Basis

    def spectrum(self, targets: Rows, intercept: bool, moments: Moments | None = None) -> Spectrum:
        """Least squares with a free intercept, factorised; a kernel matrix has no moments."""
        matrix = self.matrix
        if not self.basis.kernel.proven:
            check_positive(matrix)
        if matrix is self.basis.X and targets.weights is not None:
            matrix = matrix.copy()  # A precomputed kernel belongs to its owner.
        kernel = WeightedKernel.of(matrix, targets, intercept)
        return GramSpectrum(kernel) if len(matrix) <= EIGEN_ROWS else CholeskySpectrum(kernel)

    def operator(self, intercept: bool) -> Data:
        """The kernel as one linear operator, with one added to it for an intercept."""
        return kernel_data(self.matrix + 1 if intercept else self.matrix)


def design_for(
    X: Any, kernel: Kernel, landmarks: Indices | None = None, free_intercept: bool = False
) -> FeatureDesign | KernelDesign:
    """Features or kernel values of rows, whichever are fewer; on landmarks where there are some.

    Parameters
    ----------
    X : (n, p) array or CSR matrix; the kernel matrix (n, n) where the kernel is precomputed
    kernel : Kernel
    landmarks : (m,) array, default=None
        Rows to project the kernel on; None keeps all of it.
    free_intercept : bool, default=False
        Whether the intercept costs nothing: then rows of a linear kernel may be moved, and the
        digits of their inner products are not spent on a common offset.
    """
    if landmarks is not None:
        columns = kernel_columns(X, kernel, landmarks)
        landmark_map = LandmarkMap.of(columns[landmarks])
        basis = Basis(X, kernel, landmarks, landmark_map)
        return FeatureDesign(landmark_map.features(columns), basis)
    if not kernel.linear:
        return KernelDesign(_checked(kernel.matrix(X), kernel), Basis(X, kernel, by_row=True))
    if X.shape[1] <= X.shape[0]:
        return FeatureDesign(kernel.scaled(X), Basis(X, kernel))
    shift = None
    if free_intercept:
        rows = kernel.scaled(X)
        shift = common_offset(rows).astype(rows.dtype)
    matrix = _checked(Kernel().matrix(shifted(X, kernel, shift)), kernel)
    return KernelDesign(matrix, Basis(X, kernel, by_row=True, shift=shift))


@dataclass(frozen=True)
class Expansion:
    """Functions that margin machines choose from, by their coefficients B (n, T).

    f = sum_j k(x_j, .) b_j over training rows x_j.

    Parameters
    ----------
    data : Gram or Spectral
        The kernel at the rows: scores there are K B.
    basis : Basis
    numbers : (n,) array, those that the owner of a precomputed kernel gives to the rows
    intercept : bool
        Whether one is added to the kernel.
    """

    data: Data
    basis: Basis
    numbers: Indices
    intercept: bool

    def function(self, B: Floats) -> Function:
        """The function of new rows with coefficients B."""
        if self.basis.by_row:
            found = Coefficients(B, B.sum(axis=0) * self.intercept)
        else:
            weights = self.data.feature_weights(B)
            assert weights is not None  # As the basis is one of features.
            q = len(weights) - self.intercept
            found = Coefficients(weights[:q], weights[q:].sum(axis=0))
        return self.basis.function(found, self.numbers)


def expand(
    training: Training, kernel: Kernel, landmarks: Indices | None, intercept: bool
) -> Expansion:
    """The functions of a kernel over training rows, in the smallest form there is.

    Parameters
    ----------
    training : Training, its rows in float64
    kernel : Kernel
    landmarks : (m,) array of rows to project the kernel on, or None for all of it
    intercept : bool
        Whether one is added to the kernel.
    """
    design = design_for(training.rows.X, kernel, landmarks)
    data = design.operator(intercept)
    largest = float(data.diagonal().max(initial=0.0))
    if not largest <= _LARGEST_FOR_MARGINS:
        raise ValueError(
            f"kernel reaches {largest:g}: products of such values overflow; scale X or it down."
        )
    return Expansion(data, design.basis, training.numbers, intercept)


def feature_spectrum(X: Any, targets: Rows, moments: Moments) -> FeatureSpectrum:
    """Spectrum of dense rows, or of sparse ones by their non-zeros where that is less."""
    if not (issparse(X) and stays_sparse(X, moments)):
        return FeatureSpectrum(X, targets, moments)
    if X.shape[1] > MOST_ROTATED:
        return SparseCholesky(X, targets, moments)
    return rotated_spectrum(X, targets, moments)


def kernel_columns(X: Any, kernel: Kernel, landmarks: Indices) -> Floats:
    """Kernel values of all rows against the landmarks, (n, m), checked."""
    columns = X[:, landmarks] if kernel.precomputed else kernel.matrix(X, X[landmarks])
    check_values(columns)
    return columns


def shifted(X: Any, kernel: Kernel, shift: Floats | None) -> Any:
    """Rows as a linear kernel multiplies them: scaled, with a common offset taken off."""
    rows = kernel.scaled(X)
    return rows if shift is None else moved(rows, shift)


def with_ones(X: Any) -> Any:
    """X with a column of ones, so that X X' + 1 is its Gram matrix."""
    ones = np.ones((X.shape[0], 1))
    return hstack([X, csr_matrix(ones)], format="csr") if issparse(X) else np.hstack([X, ones])


def _checked(matrix: Floats, kernel: Kernel) -> Floats:
    check_values(matrix)
    if not kernel.proven:
        check_symmetric(matrix)
    return matrix


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


def drawn_landmarks(asked: int | str | None, X: Any, seed: int) -> Indices | None:
    """Distinct rows drawn to project a kernel on, (m,), None for the whole kernel."""
    count = landmark_count(asked, X.shape[0])
    return None if count is None else distinct_sample(X, count, seed)
