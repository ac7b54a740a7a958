"""Regularised least squares on the simplex (S-RLS), in closed form."""

from dataclasses import dataclass, replace
from typing import Any

from simplexcoding.arrays import Floats, Indices, single_where_it_serves
from simplexcoding.design import Coefficients, FeatureCholesky, LandmarkMap, Moments, Spectrum
from simplexcoding.design.design import Basis, design_for, kernel_columns
from simplexcoding.design.landmark_features import LandmarkFeatures
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.solvers.solution import Solution


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
        design = design_for(self.X, self.kernel, self.landmarks, self.intercept)
        spectrum = design.spectrum(self.targets, self.intercept, self.moments)
        return RidgeFactor(self, spectrum, design.basis)

    def factorise_single(self) -> "RidgeFactor":
        """The whole kernel in single precision where it serves, at half the cost of double."""
        single = replace(self, X=single_where_it_serves(self.X)).factorise()
        return RidgeFactor(self, single.spectrum, replace(single.basis, X=self.X))

    def factorise_finely(self) -> "RidgeFactor":
        """The whole kernel in the precision of X, factorised in single where that serves."""
        factor = self.factorise()
        return replace(factor, spectrum=factor.spectrum.in_single())

    def few_alphas(self, marked: LandmarkFeatures) -> FeatureCholesky:
        """Landmark features that are at hand, for single alphas: without their eigenvectors."""
        features = marked.features
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
        return kernel_columns(self.X, self.kernel, landmarks)


@dataclass(frozen=True)
class RidgeFactor:
    """A factorised problem: its spectrum, and the way back to coefficients on the input.

    Parameters
    ----------
    problem : RidgeProblem
    spectrum : Spectrum
    basis : Basis
    """

    problem: RidgeProblem
    spectrum: Spectrum
    basis: Basis

    @property
    def moments(self) -> Moments | None:
        """Moments of the features, None where the problem is a kernel's."""
        return self.spectrum.moments

    def solve(self, alpha: float, numbers: Indices | None = None) -> Solution:
        """The simplex scores at alpha as a function, in the dtype of X: in closed form.

        `numbers` are those that the owner of a precomputed kernel gives to the rows.
        """
        coefficients = self.spectrum.coefficients(alpha).simplex()
        return Solution(self.basis.function(coefficients, numbers))

    def coefficients(self, alpha: float) -> Coefficients:
        """Simplex scores as x @ weights + intercept, or k(x) @ weights + intercept."""
        return self.basis.on_input(self.spectrum.coefficients(alpha).simplex())
