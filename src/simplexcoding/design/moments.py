"""What least squares needs to know of the data: a mean, a scatter, and class sums."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import csc_matrix, issparse

from simplexcoding.arrays import Floats, Indices, row_blocks, slices
from simplexcoding.rows import Rows

# Rows are centred a block at a time: no second copy of the data.
BLOCK = 4096
# Rounding of this many units in a feature's scatter counts as cancellation: 2e-13 in float64.
_CANCELLATION = 2.0**10
# Entries of a scatter that sparse rows make at a time.
_SCATTER_ENTRIES = 2**22
# A sparse column whose squares are mostly those of its mean is nearly full: it is centred densely.
_MOSTLY_MEAN = 0.5


@dataclass(frozen=True)
class Moments:
    """Sufficient statistics of rows and labels. They add, and the moments of no rows add nothing.

    The mean is kept with the digits that its own rounding loses, so rows may lie a million
    spreads from zero: merges use differences of means, never sums of raw values.

    Parameters
    ----------
    total : sum of the weights
    mean : (p,) weighted mean m of the rows; zero where there is no intercept
    scatter : (p, p) sum of w (x - m)(x - m)'
    class_totals : (T,) weights of the classes
    class_sums : (T, p) sum over each class of w (x - m)
    centred : whether m is the mean, so that an intercept is free
    remainder : (p,) what rounding took off the mean: it is `mean + remainder`
    magnitude : (1 + p,) size of the total and of the scatter's diagonal in every sum and
        difference so far, as the root of the summed squares: rounding errors are this many eps

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[1.0], [2.0], [6.0]]), np.array([0, 1, 1])
    >>> parts = [Moments.of(X[i : i + 1], Rows.labelled(y[i : i + 1], 2)) for i in range(3)]
    >>> sum(parts, Moments.empty(1, 2)).mean
    array([3.])
    """

    total: float
    mean: Floats
    scatter: Floats
    class_totals: Floats
    class_sums: Floats
    centred: bool
    remainder: Floats
    magnitude: Floats

    @classmethod
    def empty(cls, n_features: int, n_classes: int, centred: bool = True) -> "Moments":
        """Moments of no rows: the neutral element of the sum."""
        zeros = np.zeros(n_features)
        scatter = np.zeros((n_features, n_features))
        totals, sums = np.zeros(n_classes), np.zeros((n_classes, n_features))
        return cls(0.0, zeros, scatter, totals, sums, centred, zeros, np.zeros(1 + n_features))

    @classmethod
    def of(cls, X: Any, targets: Rows, centred: bool = True, dtype: Any = np.float64) -> "Moments":
        """Moments of rows, in two passes over X: O(n p^2), p^2 memory.

        Products of a dense X are taken in `dtype` and summed over blocks in float64.
        """
        if not len(targets):
            return cls.empty(X.shape[1], targets.n_classes, centred)
        total, totals = targets.total, targets.class_totals
        mean = _near_mean(X, targets.counts) if centred else np.zeros(X.shape[1])
        if issparse(X):
            scatter, sums = _sparse_products(X, targets, mean)
        else:
            scatter, sums = _products(X, targets, mean, dtype)
        remainder = np.zeros_like(mean)
        if centred:
            # What is left of the sum: the mean was rounded.
            left = sums.sum(axis=0) / total
            _add_outer(scatter, -total * left, left)
            sums -= totals[:, None] * left
            near, mean = mean, mean + left
            remainder = left - (mean - near)
        magnitude = np.append(total, np.diagonal(scatter))
        return cls(total, mean, scatter, totals, sums, centred, remainder, magnitude)

    def __add__(self, other: "Moments") -> "Moments":
        return self._combine(other, 1.0)

    def __sub__(self, other: "Moments") -> "Moments":
        """Moments without some of their rows; ask `cancelled` whether digits are left."""
        return self._combine(other, -1.0)

    @property
    def cancelled(self) -> bool:
        """Whether so much has left, or so often, that the moments must be taken from the rows.

        True where rounding may exceed 2e-13 of the total or of the scatter of some feature.
        """
        eps = np.finfo(np.float64).eps
        # A spread below the rounding of the values themselves is none.
        floor = self.total * np.square(8 * eps * self.mean)
        left = np.append(self.total, np.maximum(np.diagonal(self.scatter), floor))
        return bool(np.any(self.magnitude > _CANCELLATION * left))

    @property
    def base(self) -> Floats | None:
        """Mean of the one-hot labels, (T,); None without an intercept."""
        return self.class_totals / self.total if self.centred else None

    def intercept(self, weights: Floats) -> Floats:
        """Intercept (T,) that goes with weights (p, T) of the rows less their mean."""
        at_zero = -self.mean @ weights
        return at_zero if self.base is None else at_zero + self.base

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
        if other.total == 0:
            return self
        if self.total == 0 and sign > 0:
            return other
        total = self.total + sign * other.total
        class_totals = self.class_totals + sign * other.class_totals
        scatter = self.scatter + sign * other.scatter
        sums = self.class_sums + sign * other.class_sums
        mean, remainder = self.mean, self.remainder
        if self.centred and total > 0:
            # The difference of two near numbers is exact; the remainders hold what it lacks.
            gap = (other.mean - self.mean) + (other.remainder - self.remainder)
            share = sign * other.total / total
            shift = share * gap
            # Scatter about the new mean: the gap between the two means adds its own.
            _add_outer(scatter, (self.total * share) * gap, gap)
            totals = np.column_stack([self.class_totals, sign * other.class_totals])
            sums += totals @ np.stack([-shift, gap - shift])
            step = remainder + shift
            mean = self.mean + step
            remainder = step - (mean - self.mean)
        now = np.append(total, np.diagonal(scatter))
        magnitude = np.sqrt(self.magnitude**2 + other.magnitude**2 + now**2)
        return Moments(total, mean, scatter, class_totals, sums, self.centred, remainder, magnitude)


def centred_blocks(X: Any, mean: Floats, dtype: Any = np.float64) -> Iterator[tuple[slice, Floats]]:
    """Blocks of a dense X less its mean, with the rows they hold; each overwrites the last."""
    room = np.empty((min(BLOCK, len(X)), X.shape[1]), dtype=dtype)
    for rows in slices(len(X), BLOCK):
        block = room[: rows.stop - rows.start]
        # The difference is taken in float64 and rounded once.
        np.subtract(X[rows], mean, out=block, dtype=np.float64, casting="same_kind")
        yield rows, block


def _near_mean(X: Any, counts: Floats) -> Floats:
    """The weighted mean of rows in float64, (p,); of dense ones to the precision of their dtype."""
    dtype = np.float64 if issparse(X) else X.dtype
    shares = (counts / counts.sum()).astype(dtype)
    mean = np.zeros(X.shape[1])
    for rows in slices(X.shape[0], BLOCK):
        mean += shares[rows] @ X[rows].astype(dtype, copy=False)
    return mean


def _products(X: Any, targets: Rows, mean: Floats, dtype: Any) -> tuple[Floats, Floats]:
    """Scatter and class sums about a mean, (p, p) and (T, p), of dense rows."""
    scatter, sums = np.zeros((X.shape[1],) * 2), np.zeros((targets.n_classes, X.shape[1]))
    for rows, block in centred_blocks(X, mean, dtype):
        _add_class_sums(sums, block, targets.y[rows], targets.counts[rows])
        if targets.weights is not None:
            block *= np.sqrt(targets.weights[rows, None]).astype(dtype)
        scatter += block.T @ block
    return scatter, sums


def _add_class_sums(sums: Floats, values: Any, y: Indices, weights: Floats) -> None:
    """Add the sums of values (b, q) over the classes to sums (T, q): O(b q + T), in float64."""
    counts = np.bincount(y, minlength=len(sums))
    present = np.flatnonzero(counts)
    places = np.cumsum(counts > 0) - 1
    shape = (len(present), len(y))
    picks = csc_matrix((weights, places[y], np.arange(len(y) + 1)), shape=shape)
    found = picks @ values
    sums[present] += found.toarray() if issparse(found) else found


def _sparse_products(X: Any, targets: Rows, mean: Floats) -> tuple[Floats, Floats]:
    """As `_products`, of sparse rows, which are not shifted: their mean's share comes off last.

    That costs no digits, but in columns that are nearly full and far from zero; those few are
    centred densely.
    """
    X, y, counts, total = X.astype(np.float64), targets.y, targets.counts, targets.total
    weighted = X if targets.weights is None else X.multiply(counts[:, None]).tocsr()
    scatter = _sparse_scatter(X, weighted)
    sums = np.zeros((targets.n_classes, X.shape[1]))
    _add_class_sums(sums, X, y, counts)
    full = np.flatnonzero(total * mean**2 > _MOSTLY_MEAN * np.diagonal(scatter))
    _add_outer(scatter, -total * mean, mean)
    sums -= targets.class_totals[:, None] * mean
    if full.size:
        columns, centres = X.tocsc()[:, full].tocsr(), mean[full]
        crossed, full_sums = np.zeros((X.shape[1], len(full))), np.zeros((len(sums), len(full)))
        for rows in slices(len(y), BLOCK):
            dense = columns[rows].toarray() - centres
            _add_class_sums(full_sums, dense, y[rows], counts[rows])
            # Sum of w (x - m)(z - m)' with z dense: the rows' own products, less the mean's.
            products = weighted[rows].T @ dense - np.outer(mean, counts[rows] @ dense)
            products[full] = (dense * counts[rows, None]).T @ dense
            crossed += products
        scatter[:, full], scatter[full], sums[:, full] = crossed, crossed.T, full_sums
    return scatter, sums


def _sparse_scatter(X: Any, weighted: Any) -> Floats:
    """X' weighted, (p, p), some columns at a time: sparse products take more than dense ones."""
    n_features = X.shape[1]
    scatter, columns = np.empty((n_features, n_features)), weighted.tocsc()
    size = max(1, _SCATTER_ENTRIES // n_features)
    for some in slices(n_features, size):
        scatter[:, some] = (X.T @ columns[:, some]).toarray()
    return scatter


def _add_outer(matrix: Floats, left: Floats, right: Floats) -> None:
    """Matrix += left right', without a second matrix."""
    for rows in row_blocks(*matrix.shape):
        matrix[rows] += np.outer(left[rows], right)
