"""The linear half of the splitting: scores nearest to given ones, at a price for ||f||.

A `Gram` or `Features` object is the data; its `resolvent(rho, dtype)` is the operator
A = rho K (I + rho K)^-1. S = A Q minimises 1/2 <B, K B> + rho/2 ||K B - Q||^2 over S = K B,
and the minimiser is B = rho (Q - S).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import get_lapack_funcs
from scipy.sparse import issparse

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.factor import cholesky_in_place, few_threads
from simplexcoding.kernels import squared_lengths

_BLOCK = 256
# Up to this many rows the inverse is taken by numpy.
_SMALL = 500
# An inverse of n rows takes n^3 operations and an iteration reads n^2 numbers.
_ROWS_AN_ITERATION = 30


class Resolvent(Protocol):
    """A penalty rho and the operator A it stands for."""

    @property
    def rho(self) -> float:
        """Price of a distance between scores."""

    @property
    def dtype(self) -> Any:
        """Dtype of the products."""

    def split(self, Q: Floats) -> tuple[Floats, Floats]:
        """A Q and Q - A Q, each (n, T)."""


class Data(Protocol):
    """Rows under a kernel."""

    def __len__(self) -> int: ...

    def resolvent(self, rho: float, dtype: Any, factor_dtype: Any = None) -> Resolvent:
        """Return the operator A for this rho, factorised in `factor_dtype`, else in dtype."""

    def price(self) -> float:
        """Iterations that take as long as a new resolvent."""

    def scores(self, B: Floats) -> Floats:
        """K B in float64."""

    def rows(self, chosen: Indices) -> "Data":
        """Return the same kernel on some rows."""

    def mean_diagonal(self) -> float:
        """trace(K) / n."""

    def largest(self) -> float:
        """Largest eigenvalue of K, to a tenth or so."""


@dataclass(frozen=True)
class Gram:
    """A kernel matrix K, (n, n), float64."""

    K: Floats

    def __len__(self) -> int:
        return len(self.K)

    def resolvent(self, rho: float, dtype: Any, factor_dtype: Any = None) -> "GramResolvent":
        inverse = _inverse(self.K, rho, dtype if factor_dtype is None else factor_dtype)
        return GramResolvent(inverse.astype(dtype, copy=False), rho)

    def price(self) -> float:
        return len(self.K) / _ROWS_AN_ITERATION

    def scores(self, B: Floats) -> Floats:
        # K is symmetric; in float64 the flat product is a third faster than the tall one.
        return (np.ascontiguousarray(B.T) @ self.K).T

    def rows(self, chosen: Indices) -> "Gram":
        return Gram(np.ascontiguousarray(self.K[np.ix_(chosen, chosen)]))

    def mean_diagonal(self) -> float:
        return float(np.trace(self.K)) / len(self.K)

    def largest(self) -> float:
        return self._largest

    @cached_property
    def _largest(self) -> float:
        # Ones are near the first eigenvector of a kernel that is positive; noise is there
        # in case they are far from it.
        v = 1 + 0.1 * np.random.default_rng(0).standard_normal(len(self.K))
        for _ in range(4):
            v = self.K @ (v / np.linalg.norm(v))
        return float(np.linalg.norm(v))


@dataclass(frozen=True)
class GramResolvent:
    """A = I - R with R = (I + rho K)^-1 held whole: one product, which memory bounds."""

    inverse: Floats
    rho: float

    @property
    def dtype(self) -> Any:
        """Dtype of the product."""
        return self.inverse.dtype

    def split(self, Q: Floats) -> tuple[Floats, Floats]:
        rest = self.inverse @ Q
        return Q - rest, rest


@dataclass(frozen=True)
class Features:
    """K = X X' for X with fewer columns than rows, dense or sparse: K is never formed.

    With X'X = V s V' and U = X V s^(-1/2), A = U diag(rho s / (1 + rho s)) U': two thin
    products, and any rho at no cost. O(n p^2 + p^3) once.
    """

    X: Any

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @cached_property
    def spectrum(self) -> tuple[Floats, Floats]:
        """The spectrum s and U, without the directions that are zero to rounding."""
        moments = self.X.T @ self.X
        moments = moments.toarray() if issparse(moments) else moments
        s, V = eigh(np.asarray(moments, dtype=np.float64), check_finite=False)
        kept = s > 1e-13 * max(s[-1], np.finfo(np.float64).tiny)
        return s[kept], np.asarray(self.X @ (V[:, kept] / np.sqrt(s[kept])))

    def resolvent(self, rho: float, dtype: Any, factor_dtype: Any = None) -> "FeatureResolvent":
        # The spectrum is always taken in float64.
        s, U = self.spectrum
        shrinkage = (rho * s / (1 + rho * s)).astype(dtype)
        return FeatureResolvent(U.astype(dtype, copy=False), shrinkage[:, None], rho)

    def price(self) -> float:
        return 1.0

    def scores(self, B: Floats) -> Floats:
        return np.asarray(self.X @ (self.X.T @ B), dtype=np.float64)

    def rows(self, chosen: Indices) -> Data:
        part = self.X[chosen]
        if part.shape[1] < len(chosen):
            return Features(part)
        K = part @ part.T
        return Gram(np.asarray(K.toarray() if issparse(K) else K, dtype=np.float64))

    def mean_diagonal(self) -> float:
        return float(np.mean(squared_lengths(self.X)))

    def largest(self) -> float:
        return float(self.spectrum[0][-1]) if len(self.spectrum[0]) else 0.0


@dataclass(frozen=True)
class FeatureResolvent:
    """A in the basis of the features' spectrum."""

    U: Floats
    shrinkage: Floats
    rho: float

    @property
    def dtype(self) -> Any:
        """Dtype of the products."""
        return self.U.dtype

    def split(self, Q: Floats) -> tuple[Floats, Floats]:
        S = self.U @ (self.shrinkage * (self.U.T @ Q))
        return S, Q - S


def _inverse(K: Floats, rho: float, dtype: Any) -> Floats:
    """(I + rho K)^-1; K is left alone."""
    shifted = np.multiply(K, rho, dtype=dtype, casting="same_kind")
    shifted[np.diag_indices(len(K))] += 1
    try:
        return _small_inverse(shifted) if len(K) <= _SMALL else _large_inverse(shifted)
    except np.linalg.LinAlgError:
        raise ValueError(
            "kernel must be positive semi-definite, got a matrix K for which "
            f"I + {rho:g} K has no Cholesky factor; give a valid kernel."
        ) from None


def _small_inverse(shifted: Floats) -> Floats:
    """By numpy alone: the threads of scipy's BLAS and of numpy's would stand in their way."""
    np.linalg.cholesky(shifted)  # Raises where the matrix is not positive definite.
    inverse = np.linalg.inv(shifted)
    return (inverse + inverse.T) / 2


def _large_inverse(shifted: Floats) -> Floats:
    """By Cholesky, in place: three times the factorisation alone."""
    (potri,) = get_lapack_funcs(("potri",), (shifted,))
    # The transpose of a symmetric C-ordered matrix is itself in Fortran order: no copy.
    factor = cholesky_in_place(shifted.T, clean=False)
    with few_threads(factor):
        factor, info = potri(factor, lower=1, overwrite_c=1)
    if info:
        raise np.linalg.LinAlgError
    inverse = factor.T
    _mirror(inverse)
    return inverse


def _mirror(upper: Floats) -> None:
    """Copy the upper triangle of a C-ordered matrix to the lower one, block by block."""
    n = len(upper)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        square = upper[start:stop, start:stop]
        square[:] = np.triu(square) + np.triu(square, 1).T
        for below in range(stop, n, _BLOCK):
            end = min(below + _BLOCK, n)
            upper[below:end, start:stop] = upper[start:stop, below:end].T
