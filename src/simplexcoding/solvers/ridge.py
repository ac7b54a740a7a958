"""Regularised least squares on the simplex (S-RLS), in closed form."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import Floats, Indices, common_offset, moved
from simplexcoding.design import (
    CholeskySpectrum,
    Coefficients,
    FeatureCholesky,
    FeatureSpectrum,
    GramSpectrum,
    LandmarkMap,
    Moments,
    Spectrum,
    WeightedKernel,
    feature_spectrum,
)
from simplexcoding.design.growing import GrowingLandmarks
from simplexcoding.design.validity import check_positive, check_symmetric, check_values
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows

# Up to this many rows one eigendecomposition is cheaper than a handful of Cholesky
# factorisations and answers every alpha.
EIGEN_ROWS = 1500


@dataclass(frozen=True)
class RidgeProblem:
    """min over f of sum_i w_i ||c_(y_i) - f(x_i)||^2 + alpha ||f||^2.

    Parameters
    ----------
    X : (n, p) array or CSR matrix; the kernel matrix (n, n) where the kernel is precomputed
    kernel : Kernel
    targets : Rows
    intercept : bool
    landmarks : (m,) array of rows to project the kernel on, or None for all of it
    moments : Moments of the features where they are known already, or None
    """

    X: Any
    kernel: Kernel
    targets: Rows
    intercept: bool
    landmarks: Indices | None = None
    moments: Moments | None = None

    def factorise(self) -> "RidgeFactor":
        """Factorise once, in the smaller of rows and features."""
        n_rows, n_features = self.X.shape
        if self.landmarks is not None:
            return self._factorise_landmarks(self.landmarks)
        if self.kernel.name == "linear" and n_features <= n_rows:
            X = self.kernel.scaled(self.X)
            moments = self.moments or Moments.of(X, self.targets, self.intercept)
            return RidgeFactor(self, feature_spectrum(X, self.targets, moments))
        kernel = WeightedKernel.of(self._matrix(), self.targets, self.intercept)
        small = n_rows <= EIGEN_ROWS
        return RidgeFactor(self, GramSpectrum(kernel) if small else CholeskySpectrum(kernel))

    def factorise_single(self) -> "RidgeFactor":
        """The whole kernel in single precision, at half the cost of double."""
        matrix = replace(self, X=self.X.astype(np.float32))._matrix()
        kernel = WeightedKernel.of(matrix, self.targets, self.intercept)
        return RidgeFactor(self, CholeskySpectrum(kernel))

    def shift(self) -> Floats | None:
        """What a linear kernel takes off the rows first, (p,): a free intercept gives it back.

        The digits of inner products are not spent on a common offset.
        """
        if self.kernel.name != "linear" or not self.intercept:
            return None
        X = self.kernel.scaled(self.X)
        return common_offset(X).astype(X.dtype)

    def _shifted(self) -> Any:
        X, shift = self.kernel.scaled(self.X), self.shift()
        return X if shift is None else moved(X, shift)

    def _matrix(self) -> Floats:
        """Kernel values of all rows, (n, n), checked; the problem's own where there are weights."""
        if self.kernel.name == "linear":
            matrix = Kernel().matrix(self._shifted())
        else:
            matrix = self.kernel.matrix(self.X)
        check_values(matrix)
        if not self.kernel.proven:
            check_symmetric(matrix)
            check_positive(matrix)
        if matrix is self.X and self.targets.weights is not None:
            matrix = matrix.copy()  # A precomputed kernel belongs to its owner.
        return matrix

    def _factorise_landmarks(self, landmarks: Indices) -> "RidgeFactor":
        columns = self.columns(landmarks)
        landmark_map = LandmarkMap.of(columns[landmarks])
        features = landmark_map.features(columns)
        # Rounding in products of float32 features is that of the features themselves.
        moments = self.moments or Moments.of(features, self.targets, self.intercept, features.dtype)
        spectrum = FeatureSpectrum(features, self.targets, moments)
        return RidgeFactor(self, spectrum, landmark_map)

    def few_alphas(self, growing: GrowingLandmarks) -> FeatureCholesky:
        """Landmark features that are at hand, for single alphas: without their eigenvectors."""
        features = growing.features
        moments = self.moments or Moments.of(features, self.targets, self.intercept, features.dtype)
        return FeatureCholesky(features, self.targets, moments)

    def part_moments(self, part: Any, targets: Rows) -> Moments:
        """Moments of the features of some rows X[part]."""
        rows = self.X[part]
        if self.landmarks is None:
            return Moments.of(self.kernel.scaled(rows), targets, self.intercept)
        basis = self.X[self.landmarks]
        landmark_map = LandmarkMap.of(self.kernel.matrix(basis))
        features = landmark_map.features(self.kernel.matrix(rows, basis))
        return Moments.of(features, targets, self.intercept)

    def columns(self, landmarks: Indices) -> Floats:
        """Kernel values of all rows against the landmarks, (n, m)."""
        if self.kernel.name == "precomputed":
            columns = self.X[:, landmarks]
        else:
            columns = self.kernel.matrix(self.X, self.X[landmarks])
        check_values(columns)
        return columns


@dataclass(frozen=True)
class RidgeFactor:
    """A factorised problem: its spectrum, and the way back to coefficients on the input."""

    problem: RidgeProblem
    spectrum: Spectrum
    landmark_map: LandmarkMap | None = None

    @property
    def moments(self) -> Moments | None:
        """Moments of the features, None where the problem is a kernel's."""
        return getattr(self.spectrum, "moments", None)

    def function(self, alpha: float, numbers: Indices | None = None) -> Function:
        """The simplex scores at alpha as a function, in the dtype of X.

        `numbers` are those that the owner of a precomputed kernel gives to the rows.
        """
        problem, dtype = self.problem, self.problem.X.dtype
        found = self.solution(alpha)
        weights = found.weights.astype(dtype, copy=False)
        intercept = found.intercept.astype(dtype, copy=False)
        if problem.kernel.name == "linear":
            return LinearFunction(weights, intercept)
        basis = np.arange(len(weights)) if problem.landmarks is None else problem.landmarks
        if problem.kernel.name == "precomputed":
            basis = basis if numbers is None else numbers[basis]
        else:
            basis = problem.X if problem.landmarks is None else problem.X[basis]
        return KernelExpansion(problem.kernel, basis, weights, intercept)

    def solution(self, alpha: float) -> Coefficients:
        """Simplex scores as x @ weights + intercept, or k(x) @ weights + intercept."""
        found = self.spectrum.coefficients(alpha).simplex()
        problem = self.problem
        if self.landmark_map is not None and problem.landmarks is not None:
            weights = self.landmark_map.pull_back(found.weights, len(problem.landmarks))
            return Coefficients(weights, found.intercept)
        if problem.kernel.name != "linear":
            return found
        weights, scale = found.weights, problem.kernel.scale
        intercept = found.intercept
        if self.moments is None:
            weights = problem._shifted().T @ weights
            weights = weights.toarray() if issparse(weights) else np.asarray(weights)
            shift = problem.shift()
            intercept = intercept if shift is None else intercept - shift @ weights
        # On the features as they came.
        return Coefficients(weights if scale is None else weights / scale[:, None], intercept)
