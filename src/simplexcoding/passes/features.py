"""Finite features of rows: their own columns, or kernel values against landmarks."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design import Coefficients, LandmarkMap
from simplexcoding.kernels import Kernel


class Features(Protocol):
    """A map from rows to the features that least squares sees."""

    @property
    def kernel(self) -> Kernel:
        """The kernel behind the features."""
        ...

    @property
    def width(self) -> int:
        """Numbers that are made of a row, 0 where none are."""
        ...

    def of(self, X: Any) -> Any:
        """Features (b, q) of rows (b, p)."""
        ...

    def product_dtype(self, X: Any) -> Any:
        """The dtype in which products of the features are taken."""
        ...

    def compared_with(self, X: Any) -> Any:
        """The rows among X, or of its own, that a new row is compared with."""
        ...

    def pull_back(self, found: Coefficients) -> Coefficients:
        """Coefficients on what a new row is compared with, of coefficients on features."""
        ...


@dataclass(frozen=True)
class Columns:
    """The columns of X themselves: the linear kernel."""

    kernel: Kernel
    width: int = 0

    def of(self, X: Any) -> Any:
        """X itself."""
        return X

    def product_dtype(self, X: Any) -> Any:
        """float64, whatever the rows are: sums of float32 products lose digits."""
        return np.float64

    def compared_with(self, X: Any) -> Any:
        """No rows: coefficients are on columns."""
        return X[:0]

    def pull_back(self, found: Coefficients) -> Coefficients:
        """The same coefficients."""
        return found


@dataclass(frozen=True)
class Landmarks:
    """Kernel values against landmark rows, made orthonormal.

    Parameters
    ----------
    kernel : Kernel
    basis : (m, p) array or CSR matrix of landmark rows
    landmark_map : LandmarkMap
    """

    kernel: Kernel
    basis: Any
    landmark_map: LandmarkMap

    @classmethod
    def on(cls, kernel: Kernel, basis: Any) -> "Landmarks":
        """Features on these landmark rows."""
        return cls(kernel, basis, LandmarkMap.of(kernel.matrix(basis)))

    @property
    def width(self) -> int:
        """The number of landmarks."""
        return int(self.basis.shape[0])

    def of(self, X: Any) -> Floats:
        """Features of rows, (b, r)."""
        return self.landmark_map.features(self.kernel.matrix(X, self.basis))

    def product_dtype(self, X: Any) -> Any:
        """That of the rows: rounding in products of features is that of the features."""
        return X.dtype

    def compared_with(self, X: Any) -> Any:
        """The landmarks."""
        return self.basis

    def pull_back(self, found: Coefficients) -> Coefficients:
        """Coefficients on kernel values."""
        weights = self.landmark_map.pull_back(found.weights, self.basis.shape[0])
        return Coefficients(weights, found.intercept)
