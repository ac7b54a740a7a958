"""Features as small integers: what every histogram of the boosting solvers is taken over."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Bools, Floats, Indices

# One of the 256 codes of a byte is left for missing values.
MAX_BINS = 255
# Rows from which edges are taken where there are more: a quantile of so many is near enough.
_ROWS_FOR_EDGES = 200_000


@dataclass(frozen=True)
class BinnedRows:
    """Bin codes of n rows by p features, one byte each, and the edges between the bins.

    A value x of feature j has code b where edges[j][b-1] < x <= edges[j][b]. A split after
    bin b is therefore the raw test x <= edges[j][b], on these rows and on new ones alike.
    NaN, a missing value, has the code after the last bin.

    Parameters
    ----------
    codes : (p, n) array of uint8, one row per feature
    edges : p increasing arrays, each one shorter than the feature has bins
    categorical : (p,) array, features whose values are the numbers 0, 1, ... of categories
    repeats : (n,) array, how many rows each one stands for, or None for one each
    """

    codes: NDArray[np.uint8]
    edges: tuple[Floats, ...]
    categorical: Bools
    repeats: Floats | None = None

    @classmethod
    def from_data(
        cls,
        X: Floats,
        weights: Floats | None = None,
        max_bins: int = MAX_BINS,
        categorical: Bools | None = None,
    ) -> "BinnedRows":
        """Bin each column of X, (n, p).

        A column of at most `max_bins` distinct values has one bin per value; any other has
        bins of about equal weight. O(n p log n).

        Examples
        --------
        >>> import numpy as np
        >>> rows = BinnedRows.from_data(np.array([[1.0], [5.0], [1.0], [2.0], [np.nan]]))
        >>> rows.codes
        array([[0, 2, 0, 1, 3]], dtype=uint8)
        >>> rows.edges[0]
        array([1.5, 3.5])
        """
        if categorical is None:
            categorical = np.zeros(X.shape[1], dtype=bool)
        sample: Any = slice(None)
        if len(X) > _ROWS_FOR_EDGES:
            sample = np.random.default_rng(0).choice(len(X), _ROWS_FOR_EDGES, replace=False)
        some_weights = None if weights is None else weights[sample]
        codes = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
        edges = []
        for j in range(X.shape[1]):
            column = np.ascontiguousarray(X[:, j], dtype=np.float64)
            if categorical[j]:
                cuts = np.arange(np.nanmax(column, initial=0.0)) + 0.5
            else:
                cuts = bin_edges(column[sample], some_weights, max_bins)
            codes[j] = bin_codes(column, cuts)
            edges.append(cuts)
        return cls(codes, tuple(edges), categorical)

    def take(self, index: Any) -> "BinnedRows":
        """Some of the rows, in the same bins."""
        repeats = None if self.repeats is None else self.repeats[index]
        return replace(self, codes=np.ascontiguousarray(self.codes[:, index]), repeats=repeats)

    @cached_property
    def n_bins(self) -> Indices:
        """Number of bins of each feature, (p,), which is also the code of its missing values."""
        return np.array([len(cuts) + 1 for cuts in self.edges], dtype=np.intp)

    @cached_property
    def all_in_order(self) -> bool:
        """Whether no value is missing and no feature categorical."""
        return not self.categorical.any() and not (self.codes == self.n_bins[:, None]).any()

    def thresholds(self, features: Any, bins: Any) -> Floats:
        """Largest values on the left of splits after bins; inf after the last one."""
        return np.asarray(self._table_of_edges[features, bins])

    @cached_property
    def _table_of_edges(self) -> Floats:
        """Edges of all features, (p, B), filled up with inf."""
        table = np.full((len(self.edges), max(map(len, self.edges)) + 1), inf)
        for row, cuts in zip(table, self.edges, strict=True):
            row[: len(cuts)] = cuts
        return table


def bin_codes(column: Floats, cuts: Floats) -> NDArray[np.uint8]:
    """Codes of the values of one feature; NaN sorts after everything."""
    codes = np.searchsorted(cuts, column)
    codes[np.isnan(column)] = len(cuts) + 1
    return codes.astype(np.uint8)


def bin_edges(column: Floats, weights: Floats | None, max_bins: int) -> Floats:
    """Edges between the bins of one feature.

    Parameters
    ----------
    column : (n,) array, NaN where a value is missing
    weights : (n,) array or None; a weight counts as so many rows
    max_bins : int, 2 to 255

    Returns
    -------
    increasing array of at most max_bins - 1 edges, each between two neighbouring values
    """
    there = ~np.isnan(column)
    if not there.all():
        column = column[there]
        weights = None if weights is None else weights[there]
    if weights is None:
        values, mass = np.unique(column, return_counts=True)
    else:
        values, where = np.unique(column, return_inverse=True)
        mass = np.bincount(where, weights)
    if len(values) <= max_bins:
        return midpoints(values[:-1], values[1:])
    below = np.cumsum(mass)
    levels = below[-1] * np.arange(1, max_bins) / max_bins
    last = np.unique(np.searchsorted(below, levels))
    last = last[last < len(values) - 1]
    return midpoints(values[last], values[last + 1])


def midpoints(low: Floats, high: Floats) -> Floats:
    """Points of [low, high) near the middle; halves are added, for their sum may overflow."""
    middle = low / 2 + high / 2
    # Between neighbouring floats the middle rounds to one of them: it must not be `high`.
    return np.where((middle > low) & (middle < high), middle, low)
