"""Kernels as margin machines use them: scores nearest to given ones, at a price for ||f||.

A `Gram` or `Spectral` object is the data; its `resolvent(rho, dtype)` is the operator
A = rho K (I + rho K)^-1. S = A Q minimises 1/2 <B, K B> + rho/2 ||K B - Q||^2 over S = K B,
and the minimiser is B = rho (Q - S).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import issparse

from simplexcoding.arrays import Bools, Floats, Indices, slices
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.linear_algebra.deflation import DeflatedResolvent, Leading
from simplexcoding.design.linear_algebra.factor import TriangularSolves, cholesky_in_place

_BLOCK = 256
# Up to this many rows all eigenvectors are cheaper than an inverse for every penalty.
_EIGENVECTOR_ROWS = 600
# Eigenvalues below this share of the largest are rounding.
_ROUNDED_AWAY = 1e-13
# Below zero by no more than this share they are too: the values may have been float32 once.
_ONCE_SINGLE = 1e-6
# A factorisation of n rows takes n^3 / 3 operations and an iteration reads n^2 numbers.
_ROWS_PER_ITERATION = 100


class Resolvent(Protocol):
    """The operator A of one penalty, or of any."""

    def split(self, Q: Floats, rho: Floats) -> tuple[Floats, Floats]:
        """A Q and Q - A Q, each (n, q), with a penalty for each column, (q,)."""


class Data(Protocol):
    """Rows under a kernel."""

    @property
    def any_penalty(self) -> bool:
        """Whether one resolvent serves every penalty."""

    def __len__(self) -> int: ...

    def resolvent(self, rho: float, dtype: Any, deflated: bool = False) -> Resolvent:
        """Return the operator A for this rho; `deflated`, its leading part is in float64."""

    def price(self) -> float:
        """Iterations that take as long as a new resolvent; none pays for a kernel of zeros."""

    def scores(self, B: Floats) -> Floats:
        """K B in float64."""

    def among(self, rows: Indices, columns: Indices) -> Floats:
        """Kernel values between some rows and others."""

    def part(self, rows: Bools) -> "Data":
        """The kernel of some of the rows."""

    def feature_weights(self, B: Floats) -> Floats | None:
        """X'B, (p, T), where K = X X'; None of a kernel that is known without features."""

    def projection(self, size: int) -> "Data | None":
        """The kernel projected on so many of the rows; None where that is no cheaper."""

    def diagonal(self) -> Floats:
        """K_ii of each row, (n,)."""

    def mean_diagonal(self) -> float:
        """trace(K) / n."""

    def largest(self) -> float:
        """Largest eigenvalue of K, to a tenth or so."""

    def remainder(self) -> float:
        """Largest eigenvalue of K without its leading part, where it has one."""


@dataclass(frozen=True)
class Gram:
    """A kernel matrix K, (n, n), float64."""

    K: Floats
    any_penalty = False

    def __len__(self) -> int:
        return len(self.K)

    def resolvent(self, rho: float, dtype: Any, deflated: bool = False) -> Resolvent:
        if not deflated:
            return GramResolvent(self.K, rho, dtype)
        remainder = GramResolvent(self.K, rho, dtype, self._leading)
        return DeflatedResolvent(remainder, self._leading, rho)

    def price(self) -> float:
        return len(self.K) / _ROWS_PER_ITERATION if self.largest() > 0 else np.inf

    def scores(self, B: Floats) -> Floats:
        return self.K @ np.ascontiguousarray(B)

    def projection(self, size: int) -> "Spectral":
        chosen = np.linspace(0, len(self.K) - 1, min(len(self.K), size)).astype(np.intp)
        columns = self.K[:, chosen]
        return Spectral.of_features(LandmarkMap.of(columns[chosen]).features(columns), spend=True)

    def among(self, rows: Indices, columns: Indices) -> Floats:
        return self.K[np.ix_(rows, columns)]

    def part(self, rows: Bools) -> Data:
        return kernel_data(self.K[np.ix_(rows, rows)])

    def feature_weights(self, B: Floats) -> None:
        return None

    def diagonal(self) -> Floats:
        return np.diagonal(self.K)

    def mean_diagonal(self) -> float:
        return float(np.trace(self.K)) / len(self.K)

    def largest(self) -> float:
        return self._largest

    def remainder(self) -> float:
        return self._remainder

    @cached_property
    def _remainder(self) -> float:
        return self._leading.remainder(self.K)

    @cached_property
    def _leading(self) -> Leading:
        return Leading.of(self.K)

    @cached_property
    def _largest(self) -> float:
        # Ones are near the first eigenvector of a kernel that is positive; noise is there
        # in case they are far from it.
        v = 1 + 0.1 * np.random.default_rng(0).standard_normal(len(self.K))
        for _ in range(4):
            v = self.K @ (v / max(float(np.linalg.norm(v)), np.finfo(np.float64).tiny))
        return float(np.linalg.norm(v))


class GramResolvent:
    """A = I - R with R = (I + rho K)^-1 by two triangular solves.

    A `leading` part is taken off K, which is left alone.
    """

    def __init__(self, K: Floats, rho: float, dtype: Any, leading: Leading | None = None) -> None:
        self._factor = TriangularSolves(_factor(K, rho, dtype, leading))

    def split(self, Q: Floats, rho: Floats) -> tuple[Floats, Floats]:
        rest = self.solve(Q)
        return Q - rest, rest

    def solve(self, Q: Floats) -> Floats:
        """R Q."""
        return self._factor.solve(Q)


@dataclass(frozen=True)
class Spectral:
    """K = U diag(s) U' by its spectrum, of rank r: any rho at no cost.

    A = U diag(rho s / (1 + rho s)) U': two thin products.

    Parameters
    ----------
    s : (r,) array of positive eigenvalues
    U : (n, r) array with orthonormal columns
    axes : (p, r) array or None
        V s^(1/2) where K = X X' with X = U s^(1/2) V'.
    """

    s: Floats
    U: Floats
    axes: Floats | None = None
    any_penalty = True

    @classmethod
    def of_features(cls, X: Any, spend: bool = False) -> "Spectral":
        """K = X X' for X (n, p), dense or sparse; K is never formed. O(n p^2 + p^3).

        `spend` lets U take the memory of a dense X.
        """
        moments = X.T @ X
        moments = np.asarray(moments.toarray() if issparse(moments) else moments, np.float64)
        s, V = eigh(moments, check_finite=False) if moments.size else (np.empty(0), moments)
        kept = s > _ROUNDED_AWAY * s.max(initial=np.finfo(np.float64).tiny)
        s, V = s[kept], V[:, kept]
        back = V / np.sqrt(s)
        if issparse(X) or not spend:
            return cls(s, np.asarray(X @ back), V * np.sqrt(s))
        for rows in slices(len(X), _BLOCK):
            X[rows, : len(s)] = X[rows] @ back
        return cls(s, X[:, : len(s)], V * np.sqrt(s))

    @classmethod
    def of_kernel(cls, K: Floats) -> "Spectral":
        """K by all its eigenvectors, O(n^3)."""
        s, U = np.linalg.eigh((K + K.T) / 2)
        if s[0] < -_ONCE_SINGLE * max(s[-1], 0.0) or s[-1] < 0:
            raise ValueError(
                "kernel must be positive semi-definite, got a matrix K with an eigenvalue of "
                f"{s[0]:.3g}; give a valid kernel."
            )
        kept = s > _ROUNDED_AWAY * s[-1]
        return cls(s[kept], U[:, kept])

    def __len__(self) -> int:
        return len(self.U)

    def resolvent(self, rho: float, dtype: Any, deflated: bool = False) -> "SpectralResolvent":
        return SpectralResolvent(self._basis(dtype), self.s)

    def _basis(self, dtype: Any) -> Floats:
        return self._single if dtype == np.float32 else self.U

    @cached_property
    def _single(self) -> Floats:
        return self.U.astype(np.float32)

    def price(self) -> float:
        return 1.0 if self.largest() > 0 else np.inf

    def scores(self, B: Floats) -> Floats:
        return self.U @ (self.s[:, None] * (self.U.T @ B))

    def among(self, rows: Indices, columns: Indices) -> Floats:
        return (self.U[rows] * self.s) @ self.U[columns].T

    def part(self, rows: Bools) -> "Spectral":
        axes = np.diag(np.sqrt(self.s)) if self.axes is None else self.axes
        part = Spectral.of_features(self.U[rows] @ axes.T)
        return part if self.axes is not None else Spectral(part.s, part.U)

    def feature_weights(self, B: Floats) -> Floats | None:
        return None if self.axes is None else self.axes @ (self.U.T @ B)

    def projection(self, size: int) -> None:
        return None

    def mean_diagonal(self) -> float:
        return float(self.s.sum()) / len(self.U)

    def diagonal(self) -> Floats:
        return np.asarray(np.square(self.U) @ self.s)

    def largest(self) -> float:
        return float(self.s.max(initial=0.0))

    def remainder(self) -> float:
        return self.largest()


@dataclass(frozen=True)
class SpectralResolvent:
    """A in the basis of the spectrum."""

    U: Floats
    s: Floats

    def split(self, Q: Floats, rho: Floats) -> tuple[Floats, Floats]:
        stretched = self.s[:, None] * rho
        shrinkage = (stretched / (1 + stretched)).astype(self.U.dtype)
        S = self.U @ (shrinkage * (self.U.T @ Q))
        return S, Q - S


def kernel_data(K: Floats) -> Data:
    """Data of a kernel matrix, (n, n): by its eigenvectors where n is small."""
    return Gram(K) if len(K) > _EIGENVECTOR_ROWS else Spectral.of_kernel(K)


def _factor(K: Floats, rho: float, dtype: Any, leading: Leading | None) -> Floats:
    """Lower Cholesky factor of I + rho K, in Fortran order, without a leading part of K."""
    if leading is None:
        shifted = np.multiply(K, rho, dtype=dtype, casting="same_kind")
    else:
        shifted = np.empty(K.shape, dtype)
        right = (rho * leading.s)[:, None] * leading.V.T
        for rows in slices(len(K), _BLOCK):
            shifted[rows] = rho * K[rows] - leading.V[rows] @ right
    shifted[np.diag_indices(len(K))] += 1
    try:
        # The transpose of a symmetric C-ordered matrix is itself in Fortran order: no copy.
        return cholesky_in_place(shifted.T, clean=False)
    except np.linalg.LinAlgError:
        raise ValueError(
            "kernel must be positive semi-definite, got a matrix K for which "
            f"I + {rho:g} K has no Cholesky factor; give a valid kernel."
        ) from None
