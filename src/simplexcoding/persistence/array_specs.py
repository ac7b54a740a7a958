"""Arrays in a model file: dtype, shape, range and indices are checked before any use."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import Spec
from simplexcoding.persistence.stored import Sizes, Stored


@dataclass(frozen=True)
class Array(Spec):
    """An array of numbers of one kind: "f" floats, "i" row or class numbers, "b" truth values.

    Parameters
    ----------
    kind : str
    shape : str, letters separated by spaces
        "n T" is (n, T); a letter is one length throughout its record.
    low, high : float
    below : str, a letter; entries are smaller than that length
    finite : bool
    """

    kind: str
    shape: str
    low: float = -np.inf
    high: float = np.inf
    below: str = ""
    finite: bool = True

    def write(self, value: Any, out: Stored) -> Any:
        if not isinstance(value, np.ndarray):
            raise Refusal(f"is a {type(value).__name__}, expected an array")
        if self.kind == "i" and value.dtype.kind in "iu":
            value = value.astype(np.int64)
        self._check(value, out.sizes)
        return out.keep(value)

    def read(self, code: Any, source: Stored) -> Any:
        value = source.take(code)
        self._check(value, source.sizes)
        return value.astype(np.intp, copy=False) if self.kind == "i" else value

    def _check(self, value: Any, sizes: Sizes) -> None:
        if value.dtype.kind != self.kind or value.dtype.itemsize not in (1, 4, 8):
            words = {"f": "floats", "i": "integers", "b": "truth values"}[self.kind]
            raise Refusal(f"is an array of {value.dtype}, expected {words}")
        sizes.match(tuple(self.shape.split()), value.shape)
        if self.kind == "b" and np.any(value.view(np.uint8) > 1):
            raise Refusal("holds bytes that are no truth values")
        if not value.size or self.kind == "b":
            return
        if self.finite and self.kind == "f" and not np.isfinite(value).all():
            raise Refusal("holds a value that is not finite")
        high = min(self.high, sizes[self.below] - 1) if self.below else self.high
        # NaN, where it is allowed, is passed over.
        least, most = np.fmin.reduce(value, axis=None), np.fmax.reduce(value, axis=None)
        if float(least) < self.low or float(most) > high:
            raise Refusal(f"holds a value outside [{self.low:g}, {high:g}]")


@dataclass(frozen=True)
class Csr(Spec):
    """A sparse matrix by rows, whose indices compiled code will follow.

    Parameters
    ----------
    shape : str, letters as in `Array`
    """

    shape: str

    def write(self, value: Any, out: Stored) -> Any:
        from scipy.sparse import issparse

        if not issparse(value) or value.format != "csr":
            raise Refusal(f"is a {type(value).__name__}, expected a CSR matrix")
        parts = (value.data, value.indices.astype(np.int64), value.indptr.astype(np.int64))
        self._check(value.shape, *parts, out.sizes)
        return [list(value.shape), *(out.keep(part) for part in parts)]

    def read(self, code: Any, source: Stored) -> Any:
        from scipy.sparse import csr_array

        if not isinstance(code, list) or len(code) != 4 or not _is_shape(code[0]):
            raise Refusal("is no sparse matrix")
        data, indices, indptr = (source.take(number) for number in code[1:])
        self._check(tuple(code[0]), data, indices, indptr, source.sizes)
        return csr_array((data, indices, indptr), shape=tuple(code[0]))

    def _check(
        self, shape: tuple[int, int], data: Any, indices: Any, indptr: Any, sizes: Sizes
    ) -> None:
        sizes.match(tuple(self.shape.split()), shape)
        flat = data.ndim == indices.ndim == indptr.ndim == 1
        kinds = data.dtype.kind + indices.dtype.kind + indptr.dtype.kind
        if not flat or kinds != "fii" or len(data) != len(indices):
            raise Refusal("is no sparse matrix of numbers")
        if len(indptr) != shape[0] + 1 or indptr[0] != 0 or indptr[-1] != len(data):
            raise Refusal("is a sparse matrix whose rows do not cover its values")
        if np.any(np.diff(indptr) < 0) or np.any((indices < 0) | (indices >= shape[1])):
            raise Refusal("is a sparse matrix with indices out of range")
        if not np.isfinite(data).all():
            raise Refusal("holds a value that is not finite")


def _is_shape(code: Any) -> bool:
    return isinstance(code, list) and len(code) == 2 and all(type(n) is int for n in code)
