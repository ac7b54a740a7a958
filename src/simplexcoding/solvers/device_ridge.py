"""Regularised least squares on rows that live in another array library."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.design import Coefficients
from simplexcoding.design.design import Basis
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.spectra.device_features import DeviceFeatures, device_moments
from simplexcoding.devices import ExpansionOnDevice, Home, LinearOnDevice, kernel_values
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem
from simplexcoding.solvers.solution import Solution


@dataclass(frozen=True)
class DeviceProblem(RidgeProblem):
    """`RidgeProblem` with X where it lives: linear, or a kernel projected on landmarks."""

    home: Home | None = None

    def factorise(self) -> "DeviceFactor":
        """Factorise once, in the number of features or of landmarks."""
        home, landmark_map = self.home, None
        assert home is not None
        if home.on_host:
            # Nothing moves, and LAPACK and the compiled scan are there already.
            rows = home.to_host(self.X)
            host = RidgeProblem(rows, self.kernel, self.targets, self.intercept, self.landmarks)
            factor = host.factorise()
            return DeviceFactor(self, factor.spectrum, factor.basis, factor)
        features = self.X
        if self.landmarks is None and self.kernel.scale is not None:
            features = self.X / home.bring(self.kernel.scale, self.X.dtype)
        if self.landmarks is not None:
            rows = home.xp.take(self.X, home.bring(self.landmarks), axis=0)
            values = kernel_values(self.kernel, home, rows, rows)
            landmark_map = LandmarkMap.of(home.to_host(values))
            chosen = home.xp.take(rows, home.bring(landmark_map.chosen), axis=0)
            # (n, m) values times L^-T: the inverse of a small triangle, from the host.
            whitening = np.linalg.inv(landmark_map.factor).T
            values = kernel_values(self.kernel, home, self.X, chosen)
            features = values @ home.bring(whitening, self.X.dtype)
        moments = device_moments(features, home, self.targets, self.intercept)
        spectrum = DeviceFeatures(features, home, self.targets, moments)
        basis = Basis(self.X, self.kernel, self.landmarks, landmark_map)
        return DeviceFactor(self, spectrum, basis)


@dataclass(frozen=True)
class DeviceFactor(RidgeFactor):
    """A factorised problem whose function lives with the rows."""

    problem: DeviceProblem
    host: RidgeFactor | None = None

    def coefficients(self, alpha: float) -> Coefficients:
        """Coefficients on the input, from the host where the rows are seen from there."""
        return super().coefficients(alpha) if self.host is None else self.host.coefficients(alpha)

    def solve(self, alpha: float, numbers: Indices | None = None) -> Solution:
        """The simplex scores at alpha as a function, in the dtype of X."""
        problem, home = self.problem, self.problem.home
        assert home is not None
        found = self.coefficients(alpha)
        weights = home.bring(found.weights, problem.X.dtype)
        intercept = home.bring(found.intercept, problem.X.dtype)
        if problem.landmarks is None:
            return Solution(LinearOnDevice(weights, intercept, home))
        basis = home.xp.take(problem.X, home.bring(problem.landmarks), axis=0)
        return Solution(ExpansionOnDevice(problem.kernel, basis, weights, intercept, home))
