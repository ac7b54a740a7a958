"""What is learnt: functions from rows to scores, whichever solver found them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from simplexcoding.arrays import Floats, slices
from simplexcoding.coding import SimplexCode
from simplexcoding.kernels import Kernel

# Kernel values held at a time while a function is evaluated: 128 MB in float64.
_BLOCK_ENTRIES = 2**24


class Function(Protocol):
    """A function whose scores sum to zero in every row."""

    def scores(self, X: Any) -> Floats:
        """Scores of rows X, (n, T)."""


@dataclass(frozen=True)
class LinearFunction:
    """u(x) = weights' x + intercept.

    Parameters
    ----------
    weights : (p, T) array
    intercept : (T,) array
    """

    weights: Floats
    intercept: Floats

    def scores(self, X: Any) -> Floats:
        """Scores of rows X, (n, T). O(n p T)."""
        scores = np.asarray(X @ self.weights)
        scores += self.intercept
        return scores


@dataclass(frozen=True)
class KernelExpansion:
    """u(x) = sum_j k(x, b_j) weights_j + intercept over basis rows b_j.

    Parameters
    ----------
    kernel : Kernel
    basis : (m, p) array or CSR matrix; row numbers (m,) where the kernel is precomputed
    weights : (m, T) array
    intercept : (T,) array
    """

    kernel: Kernel
    basis: Any
    weights: Floats
    intercept: Floats

    def scores(self, X: Any) -> Floats:
        """Scores of rows X, (n, T); kernel values are made for some rows at a time."""
        scores = np.empty((X.shape[0], self.weights.shape[1]), dtype=self._dtype(X))
        size = max(1, _BLOCK_ENTRIES // max(1, len(self.weights)))
        for part in slices(X.shape[0], size):
            scores[part] = self.kernel.matrix(X[part], self.basis) @ self.weights
        scores += self.intercept
        return scores

    def _dtype(self, X: Any) -> Any:
        return np.result_type(X.dtype, self.weights.dtype)


class Parts(Protocol):
    """Weak learners in rounds, each times its step."""

    def __len__(self) -> int: ...

    def add(self, X: Floats, F: Floats) -> None:
        """Add the answers of all rounds at the rows of X to F, (n, T-1), in place."""

    def staged(self, X: Floats, F: Floats) -> Iterator[Floats]:
        """Add round after round to F in place, yielding it after each."""

    def importances(self, falls: Floats, n_features: int) -> Floats | None:
        """Shares (p,) of the falls of the risk by round; None of learners that have none."""


@dataclass(frozen=True)
class Ensemble:
    """u(x) = C f(x), f the sum of weak learners with values in R^(T-1).

    Parameters
    ----------
    parts : the learners in rounds
    n_classes : int
    """

    parts: Parts
    n_classes: int

    def scores(self, X: Any) -> Floats:
        """Scores of rows X, (n, T)."""
        F = np.zeros((X.shape[0], self.n_classes - 1))
        if len(self.parts):
            self.parts.add(X, F)
        return SimplexCode(self.n_classes).scores(F)

    def staged_scores(self, X: Any) -> Iterator[Floats]:
        """Scores after each round."""
        code = SimplexCode(self.n_classes)
        for F in self.parts.staged(X, np.zeros((X.shape[0], code.dim))):
            yield code.scores(F)
