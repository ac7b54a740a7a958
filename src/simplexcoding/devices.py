"""Rows that live in another array library, perhaps on another device: where that is.

Products with many rows are taken where the rows are; what is small (coefficients, scores) is
brought to the host as NumPy arrays, where everything else is decided.
What is computed there stands in `design/spectra/device_features.py` and `solvers/device_ridge.py`.
"""

from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel

# Kernel values held at a time.
_BLOCK_ENTRIES = 2**24


@dataclass(frozen=True)
class Home:
    """An array namespace and one of its devices.

    Parameters
    ----------
    xp : module, as the array API standard describes it
    device : object
    """

    xp: Any
    device: Any

    @classmethod
    def of(cls, X: Any) -> "Home | None":
        """Where X lives; None for NumPy, frames and sparse matrices, and without dispatch."""
        from sklearn.utils._array_api import device, get_namespace

        xp, compliant = get_namespace(X)
        if not compliant or xp.__name__.endswith("numpy"):
            return None
        return cls(xp, device(X))

    def __reduce__(self) -> Any:
        # Modules are not pickled, and models are: by joblib, and by copies.
        return _named_home, (self.xp.__name__, self.device)

    @property
    def on_host(self) -> bool:
        """Whether NumPy sees the same memory, as of torch's tensors on the processor."""
        return bool(self.xp.__name__.endswith("torch")) and str(self.device) == "cpu"

    def to_host(self, values: Any) -> Any:
        """A NumPy array of the values."""
        from sklearn.utils._array_api import _convert_to_numpy

        return np.asarray(_convert_to_numpy(values, self.xp))

    def bring(self, values: Any, dtype: Any = None) -> Any:
        """An array of this namespace and device; words stay where they are."""
        if np.asarray(values).dtype.kind not in "fiub":
            return values
        return self.xp.asarray(np.ascontiguousarray(values), dtype=dtype, device=self.device)

    def floats(self, X: Any) -> Any:
        """X in single or double precision; half precision becomes single."""
        xp = self.xp
        if X.dtype in (xp.float32, xp.float64):
            return X
        halves = "float16" in str(X.dtype)  # bfloat16 too: the standard has no name for them.
        return xp.astype(X, xp.float32 if halves else xp.float64)


def as_numpy(values: Any) -> Any:
    """Values as a NumPy array where scikit-learn dispatches on their kind, else as given."""
    home = None if values is None else Home.of(values)
    return values if home is None else home.to_host(values)


def _named_home(namespace: str, device: Any) -> Home:
    return Home(import_module(namespace), device)


def kernel_values(kernel: Kernel, home: Home, X: Any, Z: Any) -> Any:
    """k(x, z) of all pairs, (n, m), where the rows are."""
    xp = home.xp
    if kernel.scale is not None:
        scale = home.bring(kernel.scale, X.dtype)
        return kernel_values(replace(kernel, scale=None), home, X / scale, Z / scale)
    if kernel.linear:
        return X @ Z.T
    if kernel.name == "poly":
        return (kernel.gamma * (X @ Z.T) + kernel.coef0) ** kernel.degree
    # Distances do not change, and their digits are not spent on a common offset.
    shift = xp.mean(Z, axis=0)
    X, Z = X - shift, Z - shift
    lengths = xp.sum(X * X, axis=1)[:, None] + xp.sum(Z * Z, axis=1)[None, :]
    squares = lengths - 2 * (X @ Z.T)
    if kernel.name == "rbf":
        return xp.exp(-kernel.gamma * xp.clip(squares, min=0.0))
    # Rounding is felt by the root near zero: equal rows must be at distance zero.
    noise = 4 * float(xp.finfo(squares.dtype).eps) * lengths
    zeros = xp.zeros_like(squares)
    return xp.exp(-kernel.gamma * xp.sqrt(xp.where(squares <= noise, zeros, squares)))


@dataclass(frozen=True)
class LinearOnDevice(LinearFunction):
    """A linear function whose weights live with the rows; its scores come to the host."""

    home: Home

    def scores(self, X: Any) -> Floats:
        """Scores of rows X, (n, T), as a NumPy array."""
        if isinstance(X, np.ndarray):
            X = self.home.bring(X, self.weights.dtype)
        X = self.home.xp.astype(X, self.weights.dtype, copy=False)
        return self.home.to_host(X @ self.weights + self.intercept)

    def to_host(self) -> LinearFunction:
        """The same function with its weights in NumPy arrays."""
        return LinearFunction(*map(self.home.to_host, (self.weights, self.intercept)))


@dataclass(frozen=True)
class ExpansionOnDevice(KernelExpansion):
    """A kernel expansion whose basis and weights live with the rows."""

    home: Home

    def scores(self, X: Any) -> Floats:
        """Scores of rows X, (n, T), as a NumPy array; kernel values for some rows at a time."""
        if isinstance(X, np.ndarray):
            X = self.home.bring(X, self.weights.dtype)
        X = self.home.xp.astype(X, self.weights.dtype, copy=False)
        n_rows, size = X.shape[0], max(1, _BLOCK_ENTRIES // max(1, self.weights.shape[0]))
        blocks = []
        for start in range(0, n_rows, size):
            part = X[start : min(start + size, n_rows), :]
            blocks.append(kernel_values(self.kernel, self.home, part, self.basis) @ self.weights)
        return self.home.to_host(self.home.xp.concat(blocks, axis=0) + self.intercept)

    def to_host(self) -> KernelExpansion:
        """The same function with its basis and weights in NumPy arrays."""
        arrays = map(self.home.to_host, (self.basis, self.weights, self.intercept))
        return KernelExpansion(self.kernel, *arrays)


def on_host(function: Function) -> Function:
    """A function whose arrays are NumPy's: this one, or what it is there."""
    if isinstance(function, LinearOnDevice | ExpansionOnDevice):
        return function.to_host()
    return function
