"""Growing one tree on histograms, node by node."""

from dataclasses import dataclass
from math import inf

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows

# Sums of a node come from its parent's by subtraction: below this share of the root's
# weight they may be rounding.
_LEAST_SHARE = 1e-10


@dataclass(frozen=True)
class Shape:
    """How deep a tree is, and how many rows and which share of the weight a leaf needs."""

    depth: int
    min_samples_leaf: int = 1
    min_weight_fraction_leaf: float = 0.0

    def least_weight(self, total: float) -> float:
        """Weight that a leaf must exceed, out of the total."""
        return max(_LEAST_SHARE, self.min_weight_fraction_leaf) * total


@dataclass(frozen=True)
class Splits:
    """The nodes of a grown tree and the leaf of each training row.

    features, thresholds, gains : (2^d - 1,), as in `Tree`
    leaf : (n,), in 0 .. 2^d - 1
    """

    features: Indices
    thresholds: Floats
    gains: Floats
    leaf: Indices

    @property
    def whole(self) -> bool:
        """Whether not even the root is split."""
        return bool(self.thresholds[0] == inf)

    @property
    def n_leaves(self) -> int:
        """2^d, reached or not."""
        return len(self.features) + 1


def table(directions: Floats, weights: Floats) -> Floats:
    """Directions (n, D), weights (n,) and ones side by side, padded to four columns."""
    n, dim = directions.shape
    rows = np.zeros((n, -(-(dim + 2) // 4) * 4))  # aligned rows add up faster
    rows[:, :dim] = directions
    rows[:, dim] = weights
    rows[:, dim + 1] = 1.0
    return rows


def grow(
    binned: BinnedRows,
    rows: Floats,
    dim: int,
    shape: Shape,
    features: Indices,
    root: Floats | None = None,
) -> Splits:
    """Tree of largest gain, chosen greedily; a node where no split gains stays whole.

    The histogram of the smaller child is summed and that of the larger one is what is left
    of the parent's, so a level costs at most half of the first: O(n m D d) in all.

    Parameters
    ----------
    binned : BinnedRows, n rows
    rows : (n, K) array of `table`
    dim : int, D
    shape : Shape
    features : (m,) array, the features that may be split
    root : the root's histogram, where it is known
    """
    return _Growth(binned, rows, dim, shape, features).run(root)


class _Growth:
    """The arrays that one tree fills while it grows."""

    def __init__(
        self, binned: BinnedRows, rows: Floats, dim: int, shape: Shape, features: Indices
    ) -> None:
        self._binned, self._rows, self._dim, self._shape = binned, rows, dim, shape
        self._candidates = features
        self._cuts = binned.n_bins[features] - 1
        self._bins = int(self._cuts.max()) + 1
        self._least_weight = shape.least_weight(rows[:, dim].sum())
        nodes = 2**shape.depth - 1
        self.features = np.zeros(nodes, dtype=np.intp)
        self.thresholds = np.full(nodes, inf)
        self.gains = np.zeros(nodes)
        self.leaf = np.zeros(len(rows), dtype=np.intp)

    def run(self, root: Floats | None) -> Splits:
        every = np.arange(len(self._rows))
        self._split(0, every, self._histogram(every) if root is None else root)
        return Splits(self.features, self.thresholds, self.gains, self.leaf)

    def _histogram(self, members: Indices) -> Floats:
        from simplexcoding.solvers.boosting.sweeps import histogram

        return histogram(self._binned.codes, self._candidates, members, self._rows, self._bins)

    def _split(self, node: int, members: Indices, sums: Floats) -> None:
        from simplexcoding.solvers.boosting.sweeps import best_split

        gain, j, cut = best_split(
            sums, self._cuts, self._dim, self._least_weight, self._shape.min_samples_leaf
        )
        if j < 0:
            self._close(node, members)
            return
        feature = self._candidates[j]
        self.features[node], self.gains[node] = feature, gain
        self.thresholds[node] = self._binned.edges[feature][cut]
        on_left = self._binned.codes[feature][members] <= cut
        self._descend(node, members[on_left], members[~on_left], sums)

    def _descend(self, node: int, left: Indices, right: Indices, sums: Floats) -> None:
        if 2 * node + 1 >= len(self.features):
            self._close(2 * node + 1, left)
            self._close(2 * node + 2, right)
            return
        if len(left) <= len(right):
            of_left = self._histogram(left)
            of_right = sums - of_left
        else:
            of_right = self._histogram(right)
            of_left = sums - of_right
        self._split(2 * node + 1, left, of_left)
        self._split(2 * node + 2, right, of_right)

    def _close(self, node: int, members: Indices) -> None:
        """Give the rows of a node that is not split its leftmost leaf."""
        while node < len(self.features):
            node = 2 * node + 1
        self.leaf[members] = node - len(self.features)
