"""The simplex code: classes as the vertices of a regular simplex."""

import operator
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from simplexcoding.arrays import Floats, Indices, class_indices


@dataclass(frozen=True, slots=True)
class SimplexCode:
    """The T vertices c_0, ..., c_(T-1) of a regular simplex in R^(T-1).

    They are defined, up to a rotation, by three properties:
    ||c_y|| = 1, <c_y, c_k> = -1/(T-1) for y != k, and sum_y c_y = 0.

    The rotation used here has c_0 = a 1 and c_k = b 1 + d e_k for k >= 1, so that
    every operation needs one sum per row and never a T x T matrix. With C the T x (T-1)
    matrix of code vectors, the *scores* of f in R^(T-1) are u = C f; they sum to zero
    and lose nothing: f = (T-1)/T C'u.

    At T = 2 the code is +1, -1 exactly, and decoding is the sign.

    Parameters
    ----------
    n_classes : int
        T, at least 2.

    Examples
    --------
    >>> from simplexcoding import SimplexCode
    >>> code = SimplexCode(3)
    >>> F = code.encode([0, 2])
    >>> code.scores(F)
    array([[ 1. , -0.5, -0.5],
           [-0.5, -0.5,  1. ]])
    >>> code.decode(F)
    array([0, 2])
    """

    n_classes: int
    _first: float = field(init=False, repr=False, compare=False)
    _rest: float = field(init=False, repr=False, compare=False)
    _own: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        n_classes = _class_count(self.n_classes)
        object.__setattr__(self, "n_classes", n_classes)
        dim = n_classes - 1
        # At T = 2 these values give +1 and -1 without rounding.
        first, rest, own = 1.0, -1.0, 0.0
        if n_classes > 2:
            first = 1 / sqrt(dim)
            rest = -(1 + sqrt(n_classes)) / dim**1.5
            own = sqrt(n_classes / dim)
        object.__setattr__(self, "_first", first)
        object.__setattr__(self, "_rest", rest)
        object.__setattr__(self, "_own", own)

    @property
    def dim(self) -> int:
        """Dimension T - 1 of the space the code lives in."""
        return self.n_classes - 1

    @property
    def codewords(self) -> Floats:
        """The matrix C, (T, T-1): one code vector per row. Made at each call, O(T^2)."""
        return self.encode(np.arange(self.n_classes))

    def encode(self, y: ArrayLike, dtype: DTypeLike = np.float64) -> Floats:
        """Code vectors of class indices.

        Parameters
        ----------
        y : (n,) array of integers in 0..T-1
        dtype : floating dtype of the result, default float64

        Returns
        -------
        (n, T-1) array
        """
        index = class_indices(y, self.n_classes)
        coded = np.full((len(index), self.dim), self._rest, dtype=dtype)
        coded[index == 0] = self._first
        (later,) = np.nonzero(index)
        coded[later, index[later] - 1] += self._own
        return coded

    def scores(self, F: ArrayLike) -> Floats:
        """Scores u = C f of each row, which sum to zero.

        Parameters
        ----------
        F : (n, T-1) array

        Returns
        -------
        (n, T) array
        """
        F = _rows(F, self.dim, "F")
        total = F.sum(axis=1)
        scores = np.empty((len(F), self.n_classes), dtype=F.dtype)
        np.multiply(F, self._own, out=scores[:, 1:])
        scores[:, 1:] += (self._rest * total)[:, None]
        scores[:, 0] = self._first * total
        return scores

    def decode(self, F: ArrayLike) -> Indices:
        """Class of the nearest vertex: the largest score, the lowest index at ties.

        Parameters
        ----------
        F : (n, T-1) array

        Returns
        -------
        (n,) array of indices
        """
        return self.scores(F).argmax(axis=1)

    def pull_back(self, S: ArrayLike) -> Floats:
        """S C, the adjoint of `scores`.

        (T-1)/T times it is the inverse of `scores` on rows that sum to zero.

        Parameters
        ----------
        S : (n, T) array

        Returns
        -------
        (n, T-1) array
        """
        S = _rows(S, self.n_classes, "S")
        later = S[:, 1:]
        pulled = later * S.dtype.type(self._own)
        pulled += (self._first * S[:, 0] + self._rest * later.sum(axis=1))[:, None]
        return pulled


def _class_count(n_classes: Any) -> int:
    try:
        if isinstance(n_classes, bool):
            raise TypeError
        count = operator.index(n_classes)
    except TypeError:
        raise TypeError(f"n_classes must be an integer, got {n_classes!r}.") from None
    if count < 2:
        raise ValueError(f"n_classes must be at least 2, got {count}.")
    return count


def _rows(values: ArrayLike, width: int, name: str) -> Floats:
    rows = np.asarray(values)
    if rows.dtype.kind not in "fiub":
        raise ValueError(f"{name} must hold real numbers, got dtype {rows.dtype}.")
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{name} must have shape (n, {width}), got {rows.shape}.")
    return rows if rows.dtype.kind == "f" else rows.astype(np.float64)
