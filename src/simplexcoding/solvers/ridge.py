"""Regularised least squares on the simplex (S-RLS), in closed form."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import Floats, Indices
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
        matrix = self.kernel.matrix(self.X)
        if matrix is self.X and self.targets.weights is not None:
            matrix = matrix.copy()  # A precomputed kernel belongs to its owner.
        kernel = WeightedKernel.of(matrix, self.targets, self.intercept)
        small = n_rows <= EIGEN_ROWS
        return RidgeFactor(self, GramSpectrum(kernel) if small else CholeskySpectrum(kernel))

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
            return self.X[:, landmarks]
        return self.kernel.matrix(self.X, self.X[landmarks])


@dataclass(frozen=True)
class RidgeFactor:
    """A factorised problem: its spectrum, and the way back to coefficients on the input."""

    problem: RidgeProblem
    spectrum: Spectrum
    landmark_map: LandmarkMap | None = None

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
        if not isinstance(self.spectrum, FeatureSpectrum):
            weights = problem.kernel.scaled(problem.X).T @ weights
            weights = weights.toarray() if issparse(weights) else np.asarray(weights)
        # On the features as they came.
        return Coefficients(weights if scale is None else weights / scale[:, None], found.intercept)
