"""What least squares needs to know of the data: a mean, a scatter, and class sums."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.targets import Targets

# Rows are centred a block at a time: no second copy of the data.
BLOCK = 4096


@dataclass(frozen=True)
class Moments:
    """Sufficient statistics of rows and labels. They add: moments + moments.

    Parameters
    ----------
    total : sum of the weights
    mean : (p,) weighted mean m of the rows; zero where there is no intercept
    scatter : (p, p) sum of w (x - m)(x - m)'
    class_totals : (T,) weights of the classes
    class_sums : (T, p) sum over each class of w (x - m)
    centred : whether m is the mean, so that an intercept is free
    """

    total: float
    mean: Floats
    scatter: Floats
    class_totals: Floats
    class_sums: Floats
    centred: bool

    @classmethod
    def of(
        cls, X: Any, targets: Targets, centred: bool = True, dtype: Any = np.float64
    ) -> "Moments":
        """Moments of rows, in two passes over X: O(n p^2), p^2 memory.

        Products of a dense X are taken in `dtype` and summed over blocks in float64.
        """
        n_features = X.shape[1]
        sums = targets.sums(X).astype(np.float64, copy=False)
        mean = sums.sum(axis=0) / targets.total if centred else np.zeros(n_features)
        if issparse(X):
            scatter = _sparse_scatter(X, targets, mean)
        else:
            scatter = np.zeros((n_features, n_features))
            for rows, block in centred_blocks(X, mean, dtype):
                if targets.weights is not None:
                    block *= targets.roots[rows, None].astype(dtype)
                scatter += block.T @ block
        sums -= targets.class_weights[:, None] * mean
        return cls(targets.total, mean, scatter, targets.class_weights, sums, centred)

    def __add__(self, other: "Moments") -> "Moments":
        return self._combine(other, 1.0)

    def __sub__(self, other: "Moments") -> "Moments":
        return self._combine(other, -1.0)

    def with_classes(self, places: Indices, n_classes: int) -> "Moments":
        """The same moments among more classes: class k becomes class places[k]."""
        totals, sums = np.zeros(n_classes), np.zeros((n_classes, len(self.mean)))
        totals[places], sums[places] = self.class_totals, self.class_sums
        return replace(self, class_totals=totals, class_sums=sums)

    def only_classes(self, places: Indices) -> "Moments":
        """The same moments without the classes that no row is left of."""
        return replace(
            self, class_totals=self.class_totals[places], class_sums=self.class_sums[places]
        )

    def _combine(self, other: "Moments", sign: float) -> "Moments":
        total = self.total + sign * other.total
        if self.centred:
            share = sign * other.total / total
            gap = other.mean - self.mean
            mean = self.mean + share * gap
            # Scatter about the new mean: the gap between the two means adds its own.
            scatter = self.scatter + sign * other.scatter
            scatter += self.total * share * np.outer(gap, gap)
        else:
            mean, scatter = self.mean, self.scatter + sign * other.scatter
        class_totals = self.class_totals + sign * other.class_totals
        raw = self.class_sums + self.class_totals[:, None] * self.mean
        raw += sign * (other.class_sums + other.class_totals[:, None] * other.mean)
        sums = raw - class_totals[:, None] * mean
        return Moments(total, mean, scatter, class_totals, sums, self.centred)


def centred_blocks(X: Any, mean: Floats, dtype: Any = np.float64) -> Any:
    """Blocks of a dense X less its mean, with the rows they hold; each overwrites the last."""
    room = np.empty((min(BLOCK, len(X)), X.shape[1]), dtype=dtype)
    for start in range(0, len(X), BLOCK):
        rows = slice(start, min(start + BLOCK, len(X)))
        block = room[: rows.stop - start]
        # The difference is taken in float64 and rounded once.
        np.subtract(X[rows], mean, out=block, dtype=np.float64, casting="same_kind")
        yield rows, block


def _sparse_scatter(X: Any, targets: Targets, mean: Floats) -> Floats:
    weighted = X if targets.weights is None else X.multiply(targets.roots[:, None]).tocsr()
    weighted = weighted.astype(np.float64)
    scatter = (weighted.T @ weighted).toarray()
    # Sparse data is not shifted by its mean, so the mean's share is taken off at the end.
    return scatter - targets.total * np.outer(mean, mean)
