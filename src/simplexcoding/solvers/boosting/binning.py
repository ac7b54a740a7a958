"""Features as small integers: what every histogram of the boosting solvers is taken over."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices

MAX_BINS = 256


@dataclass(frozen=True)
class BinnedRows:
    """Bin codes of n rows by p features, one byte each, and the edges between the bins.

    A value x of feature j has code b where edges[j][b-1] < x <= edges[j][b]. A split after
    bin b is therefore the raw test x <= edges[j][b], on these rows and on new ones alike.

    Parameters
    ----------
    codes : (p, n) array of uint8, a feature a row
    edges : p increasing arrays, each one shorter than the feature has bins
    """

    codes: NDArray[np.uint8]
    edges: tuple[Floats, ...]

    @classmethod
    def from_data(
        cls, X: Floats, weights: Floats | None = None, max_bins: int = 255
    ) -> "BinnedRows":
        """Bin each column of X, (n, p).

        A column of at most `max_bins` distinct values has one bin a value; any other has
        bins of about equal weight. O(n p log n).

        Examples
        --------
        >>> import numpy as np
        >>> rows = BinnedRows.from_data(np.array([[1.0], [5.0], [1.0], [2.0]]))
        >>> rows.codes
        array([[0, 2, 0, 1]], dtype=uint8)
        >>> rows.edges[0]
        array([1.5, 3.5])
        """
        codes = np.empty((X.shape[1], X.shape[0]), dtype=np.uint8)
        edges = []
        for j, column in enumerate(np.ascontiguousarray(X.T, dtype=np.float64)):
            cuts = bin_edges(column, weights, max_bins)
            codes[j] = np.searchsorted(cuts, column)
            edges.append(cuts)
        return cls(codes, tuple(edges))

    @property
    def n_bins(self) -> Indices:
        """Number of bins of each feature, (p,)."""
        return np.array([len(cuts) + 1 for cuts in self.edges], dtype=np.intp)


def bin_edges(column: Floats, weights: Floats | None, max_bins: int) -> Floats:
    """Edges between the bins of one feature.

    Parameters
    ----------
    column : (n,) array
    weights : (n,) array or None; a weight counts as so many rows
    max_bins : int, 2 to 256

    Returns
    -------
    increasing array of at most max_bins - 1 edges, each between two neighbouring values
    """
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
