"""Growing one tree on histograms."""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.forest import EVERY, NO_SETS, Sets, Tree

# Sums of a node come from its parent's by subtraction: below this share of the root's
# weight they may be rounding.
_LEAST_SHARE = 1e-10


@dataclass(frozen=True)
class Shape:
    """How deep a tree is, how many rows and which share of the weight a leaf needs.

    `l2` is added to the weight of a side where its gain is taken.
    """

    depth: int
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    l2: float = 0.0

    def limits(self, total: float) -> Any:
        """Limits of a split, out of the total weight, as compiled code takes them."""
        from simplexcoding.solvers.boosting.split_search import Limits

        return Limits(float(self.l2), self.least_weight(total), float(self.min_samples_leaf))

    def least_weight(self, total: float) -> float:
        """Weight that a leaf must exceed, out of the total."""
        return max(_LEAST_SHARE, self.min_weight_fraction_leaf) * total


@dataclass(frozen=True)
class Splits:
    """The nodes of a grown tree, and the training rows in its leaves.

    features, thresholds, gains, missing_left, sets, set_of : as in `Tree`
    members : (n,) the rows, those of a leaf side by side
    begins, ends : (2^d,) where a leaf has its rows in `members`
    """

    features: Indices
    thresholds: Floats
    gains: Floats
    missing_left: Bools
    sets: Sets
    set_of: Indices
    members: Indices
    begins: Indices
    ends: Indices

    @classmethod
    def nothing(cls, n_rows: int) -> "Splits":
        """A stump that is not split."""
        return cls.of_stump(0, inf, 0.0, True, np.zeros(n_rows, dtype=bool))

    @classmethod
    def of_stump(
        cls, feature: int, threshold: float, gain: float, missing_left: bool, on_right: Bools
    ) -> "Splits":
        """One split, and the side of each row."""
        n_left = len(on_right) - np.count_nonzero(on_right)
        return cls(
            np.array([feature]),
            np.array([threshold]),
            np.array([gain]),
            np.array([missing_left]),
            NO_SETS,
            np.array([-1]),
            np.argsort(on_right, kind="stable"),
            np.array([0, n_left]),
            np.array([n_left, len(on_right)]),
        )

    def tree(self, values: Floats, coordinate: int = EVERY) -> Tree:
        """The tree with these values at its leaves."""
        return Tree(
            self.features,
            self.thresholds,
            self.gains,
            values,
            coordinate,
            self.missing_left,
            self.sets,
            self.set_of,
        )

    @property
    def whole(self) -> bool:
        """Whether not even the root is split."""
        return bool(self.gains[0] == 0.0)

    @property
    def n_leaves(self) -> int:
        """2^d, reached or not."""
        return len(self.features) + 1

    @cached_property
    def leaf(self) -> Indices:
        """Leaf of each row, (n,)."""
        leaf = np.empty(len(self.members), dtype=np.intp)
        leaf[self.members] = np.repeat(np.arange(self.n_leaves), self.ends - self.begins)
        return leaf


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
    *,
    root: Floats | None = None,
    work: Floats | None = None,
    some: Indices | None = None,
    threads: bool = False,
) -> Splits:
    """Tree of largest gain, chosen greedily; a node where no split gains stays whole.

    Parameters
    ----------
    binned : BinnedRows, n rows
    rows : (n, K) array of `table`
    dim : int, D
    shape : Shape
    features : (m,) array, the features that may be split
    root : the root's histogram, where it is known
    work : room for histograms from `room`, or None to make it
    some : rows that the search looks at, or None for all; the others only walk to their leaves
    threads : bool, whether several threads search large nodes
    """
    from simplexcoding.solvers.boosting.tree_growth import Columns, grow_tree, place_rows

    if work is None:
        work = room(binned, len(features), rows.shape[1], shape)
    if root is not None:
        work[0] = root
    columns = Columns(binned.codes, binned.n_bins, binned.categorical, features)
    members = np.arange(len(rows)) if some is None else some
    tree = grow_tree(
        columns,
        members,
        rows[members],
        dim,
        shape.depth,
        shape.limits(rows[:, dim].sum()),
        work,
        root is not None,
        threads,
    )
    begins, ends = tree.begins, tree.ends
    if some is not None:
        members, begins, ends = place_rows(columns, tree)
    split = tree.cuts >= 0
    thresholds = np.full(len(split), inf)
    by_set = split & binned.categorical[tree.features]
    in_order = split & ~by_set
    thresholds[in_order] = binned.thresholds(tree.features[in_order], tree.cuts[in_order])
    set_of = np.full(len(split), -1)
    set_of[by_set] = np.arange(np.count_nonzero(by_set))
    return Splits(
        tree.features,
        thresholds,
        tree.gains,
        tree.missing_left,
        tree.sets[by_set],
        set_of,
        members,
        begins,
        ends,
    )


def room(binned: BinnedRows, n_features: int, width: int, shape: Shape) -> Floats:
    """Histograms of two nodes on every level of a tree, (2d, m, B, K), not yet filled."""
    return np.empty((2 * shape.depth, n_features, int(binned.n_bins.max()) + 1, width))
