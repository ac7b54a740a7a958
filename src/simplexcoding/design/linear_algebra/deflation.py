"""The largest eigenvalues of a kernel apart from the rest, so that float32 serves the rest."""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.linalg import get_blas_funcs, qr, solve_triangular

from simplexcoding.arrays import Floats, Indices, slices
from simplexcoding.design.linear_algebra.products import double_product, product

_MOST_LEADING = 256
_ROWS_PER_DIRECTION = 64
_POWER_STEPS = 6
# Rows of a float32 kernel that are taken to float64 at a time.
_ROWS_AT_A_TIME = 256
# Eigenvalues below this share of the largest are rounding.
_ROUNDED_AWAY = 1e-12


class Leading(NamedTuple):
    """K = V diag(s) V' + a remainder without negative eigenvalues.

    Parameters
    ----------
    V : (n, r) array with orthonormal columns, near the first eigenvectors
    s : (r,) array, positive
    root : (n, r) array F with F F' = V diag(s) V'; in float32 where K is
    """

    V: Floats
    s: Floats
    root: Floats

    @classmethod
    def of(cls, K: Floats, size: int | None = None) -> "Leading":
        """The part of K, float32 or float64, in the range of two products with it: O(n^2 r).

        `size` directions at most; None for one per 64 rows, up to 256.

        With Y = K U for orthonormal U, Y (U'Y)^-1 Y' takes from K what is seen through U, and
        leaves a Schur complement. The products are float64: rounding would make it negative.
        """
        n = len(K)
        rng = np.random.default_rng(0)
        if size is None:
            size = min(_MOST_LEADING, max(1, n // _ROWS_PER_DIRECTION))
        # Directions may be rough, what is seen through them may not.
        seen = product(K, np.asfortranarray(rng.standard_normal((n, size)), dtype=K.dtype))
        U = qr(seen.astype(np.float64), mode="economic", overwrite_a=True, check_finite=False)[0]
        Y = double_product(K, U)
        return cls.of_root(product(Y, _inverse_root(product(U.T, Y))).astype(K.dtype))

    @classmethod
    def of_root(cls, root: Floats) -> "Leading":
        """The part F F', to the last digit, whatever rounding F has seen."""
        F = root.astype(np.float64)
        roots = _inverse_root(product(F.T, F))
        return cls(product(F, roots), 1 / np.square(roots).sum(axis=0), root)

    def of_rows(self, rows: Indices) -> "Leading":
        """What the part is among some of the rows: the rest has no negative eigenvalues there."""
        return Leading.of_root(np.asfortranarray(self.root[rows]))

    def remainder(self, K: Floats) -> float:
        """The largest eigenvalue of what is left of K, to a tenth or so: a few products."""
        v = np.random.default_rng(0).standard_normal(len(K))
        for _ in range(_POWER_STEPS):
            v /= max(float(np.linalg.norm(v)), np.finfo(np.float64).tiny)
            v = K @ v.astype(K.dtype, copy=False) - self.V @ (self.s * (self.V.T @ v))
        return float(np.linalg.norm(v))

    def fill_remainder(self, K: Floats, out: Floats) -> None:
        """Write the lower half of K less the leading part into `out` (n, n), in Fortran order."""
        # The transpose of a symmetric matrix is in Fortran order: filled straight, not turned.
        if K.dtype == out.dtype:
            np.copyto(out.T, K)
            (syrk,) = get_blas_funcs(("syrk",), (out,))
            syrk(-1.0, np.asfortranarray(self.root), beta=1.0, c=out, lower=1, overwrite_c=1)
            return
        # Rounded once, after the difference: what is left is smaller, and so is its rounding.
        for rows in slices(len(K), _ROWS_AT_A_TIME):
            out.T[rows] = K[rows] - (self.V[rows] * self.s) @ self.V.T


class Remainder(Protocol):
    """(I + rho K_r)^-1 for the remainder K_r."""

    def solve(self, Q: Floats) -> Floats:
        """(I + rho K_r)^-1 Q."""


class DeflatedResolvent:
    """A = I - R with R = (I + rho K)^-1 from R_r = (I + rho K_r)^-1, by Woodbury's formula.

    With W = R_r V, t = (1/(rho s) + V'W)^-1 W'Q gives R Q = R_r Q - W t. Its part in V, which
    K multiplies by its largest eigenvalues, is V t / (rho s): put in place of what is left
    after the two have cancelled, it has all its digits. R Q is float64.

    Parameters
    ----------
    remainder : Remainder, of the kernel less its leading part
    leading : Leading
    rho : float > 0
    """

    def __init__(self, remainder: Remainder, leading: Leading, rho: float) -> None:
        V = leading.V
        self._remainder, self._V = remainder, V
        self._W = remainder.solve(V.astype(np.float32)).astype(np.float64)
        self._stretch = rho * leading.s[:, None]
        inner = V.T @ self._W
        inner = (inner + inner.T) / 2 + np.diag(1 / self._stretch[:, 0])
        self._map = np.linalg.solve(inner, self._W.T)

    def split(self, Q: Floats, rho: Floats) -> tuple[Floats, Floats]:
        t = self._map @ Q
        rest = self._remainder.solve(Q) - self._W @ t
        rest += self._V @ (t / self._stretch - self._V.T @ rest)
        return (Q - rest).astype(Q.dtype), rest


class DeflatedInverse:
    """Q = (K + alpha I)^-1 from Q_r, that of the remainder, by Woodbury's formula; float64.

    With W = Q_r V, t = (1/s + V'W)^-1 W'Y gives Q Y = Q_r Y - W t. Its part in V, which K
    multiplies by its largest eigenvalues, is V t / s: put in place of what is left after the
    two have cancelled, it has its digits.

    Parameters
    ----------
    leading : Leading
    rest : function that applies Q_r to the columns of a matrix, in any precision

    Attributes
    ----------
    taken : (n, r) array; diag(Q) is diag(Q_r) less its row sums of squares
    """

    def __init__(self, leading: Leading, rest: Callable[[Floats], Floats]) -> None:
        self._leading, self._rest = leading, rest
        self._W = rest(leading.V).astype(np.float64)
        inner = product(leading.V.T, self._W)
        self._root = np.linalg.cholesky((inner + inner.T) / 2 + np.diag(1 / leading.s))
        self.taken = _solved(self._root, self._W.T).T

    def apply(self, Y: Floats) -> Floats:
        """Q Y."""
        V, s = self._leading.V, self._leading.s
        seen = product(self.taken.T, Y)
        t = _solved(self._root, seen, trans="T")
        found = self._rest(Y) - product(self._W, t)
        found += product(V, t / s[:, None] - product(V.T, found))
        return found


def _solved(lower: Any, B: Floats, trans: str = "N") -> Floats:
    """Solve with a lower factor, or with its transpose; of no rows there is nothing to solve."""
    if not B.size:  # scipy before 1.12 refuses a matrix without rows.
        return B
    return np.asarray(solve_triangular(lower, B, lower=True, trans=trans, check_finite=False))


def _inverse_root(square: Floats) -> Floats:
    """Columns X of orthogonal directions with X' square X = I, without those of length zero."""
    # numpy's own: that of scipy before 1.12 refuses a matrix without rows.
    values, axes = np.linalg.eigh((square + square.T) / 2)
    kept = values > _ROUNDED_AWAY * values.max(initial=np.finfo(np.float64).tiny)
    return np.asarray(axes[:, kept] / np.sqrt(values[kept]))
