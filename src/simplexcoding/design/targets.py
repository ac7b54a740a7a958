"""Labels and row weights as least squares sees them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from simplexcoding.arrays import Floats, Indices


@dataclass(frozen=True)
class Targets:
    """One-hot targets Y, never stored, of n rows with positive weights.

    Least squares on simplex codes is one-hot least squares, centred over the classes:
    scores u = T/(T-1) (s - mean s) of the one-hot predictions s. So the code needs no
    n x (T-1) matrix, and X'Y is sums over classes.

    Parameters
    ----------
    y : (n,) array of class indices
    n_classes : int
    weights : (n,) array of positive weights, or None for ones
    """

    y: Indices
    n_classes: int
    weights: Floats | None = None

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def total(self) -> float:
        """Sum of the weights."""
        return float(len(self.y)) if self.weights is None else float(self.weights.sum())

    @cached_property
    def class_weights(self) -> Floats:
        """Sum of the weights of each class, (T,)."""
        return np.bincount(self.y, self.weights, minlength=self.n_classes).astype(np.float64)

    @cached_property
    def roots(self) -> Floats:
        """Square roots of the weights, (n,)."""
        return np.ones(len(self.y)) if self.weights is None else np.sqrt(self.weights)

    def sums(self, rows: Any) -> Floats:
        """Weighted sums of rows over each class, (T, p): Y'WX in O(n p)."""
        weights = np.ones(len(self.y)) if self.weights is None else self.weights
        picks = csr_matrix(
            (weights.astype(rows.dtype), (self.y, np.arange(len(self.y)))),
            shape=(self.n_classes, len(self.y)),
        )
        sums = picks @ rows
        return sums if isinstance(sums, np.ndarray) else sums.toarray()

    def one_hot(self, dtype: Any = np.float64) -> Floats:
        """Y itself, (n, T), for solvers that need right-hand sides."""
        Y = np.zeros((len(self.y), self.n_classes), dtype=dtype)
        Y[np.arange(len(self.y)), self.y] = 1.0
        return Y

    def rows(self, index: Any) -> "Targets":
        """Targets of some of the rows."""
        weights = None if self.weights is None else self.weights[index]
        return Targets(self.y[index], self.n_classes, weights)
