"""Symmetric matrices in half the memory: LAPACK's rectangular full packed form."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import LinAlgError, get_lapack_funcs

from simplexcoding.arrays import Floats


class Packed(NamedTuple):
    """The lower triangle of a symmetric (p, p) matrix as a full rectangle, (k, p + even).

    With k = (p + 1) // 2 and even = 1 for even p, entry (r, c), r >= c, lies at [c, r + even]
    for c < k and at [r - k + 1 - even, c - k] beyond: LAPACK factorises and inverts it in place,
    by products of blocks.

    Parameters
    ----------
    values : (k, p + even) array

    Examples
    --------
    >>> import numpy as np
    >>> Packed.of(np.array([[1.0, 2], [2, 3]])).values
    array([[3., 1., 2.]])
    """

    values: Floats

    @classmethod
    def of(cls, matrix: Floats) -> "Packed":
        """The packed form of a symmetric matrix."""
        p = len(matrix)
        half, even = (p + 1) // 2, 1 - p % 2
        values = np.empty((half, p + even))
        for j in range(half):
            values[j, even:] = matrix[j]
            values[j, : j + even] = matrix[half + j - 1 + even, half : half + j + even]
        return cls(values)

    @property
    def size(self) -> int:
        """P."""
        half, width = self.values.shape
        return width - 1 if width == 2 * half + 1 else width

    def diagonal(self) -> Floats:
        """Its diagonal, (p,)."""
        half, even = len(self.values), 1 - self.size % 2
        rest = np.diagonal(self.values[1 - even :, : self.size - half])
        return np.concatenate([np.diagonal(self.values[:, even:]), rest])

    def shift(self, alpha: float) -> None:
        """Add alpha to the diagonal."""
        half, even = len(self.values), 1 - self.size % 2
        first, rest = np.arange(half), np.arange(self.size - half)
        self.values[first, first + even] += alpha
        self.values[rest + 1 - even, rest] += alpha


@dataclass(frozen=True)
class Inverse:
    """(scatter + alpha I)^-1, and what it makes of some columns.

    Parameters
    ----------
    packed : Packed
    solved : (p, m) array, the inverse times the columns
    """

    packed: Packed
    solved: Floats

    @classmethod
    def of(cls, scatter: Floats, alpha: float, columns: Floats) -> "Inverse":
        """By Cholesky, in the memory of the packed form: p^3 operations.

        Raises LinAlgError where scatter + alpha I is not positive definite to rounding.
        """
        packed = Packed.of(scatter)
        packed.shift(alpha)
        p, flat = packed.size, packed.values.ravel()
        names = ("pftrf", "pftrs", "pftri")
        factorise, solve, invert = get_lapack_funcs(names, dtype=np.float64)
        factor, info = factorise(p, flat, uplo="L", overwrite_a=1)
        if info:
            raise LinAlgError("the matrix is not positive definite to rounding")
        solved, _ = solve(p, factor, np.asfortranarray(columns), uplo="L", overwrite_b=0)
        inverse, _ = invert(p, factor, uplo="L", overwrite_a=1)
        return cls(Packed(inverse.reshape(packed.values.shape)), np.ascontiguousarray(solved))
