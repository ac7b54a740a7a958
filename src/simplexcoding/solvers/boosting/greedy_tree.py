"""Growing one tree on histograms."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.solvers.boosting.tree_arrays import GrowingTree, slots_for
from simplexcoding.threads import threads_for

# Sums of a node come from its parent's by subtraction: below this share of the root's
# weight they may be rounding.
_LEAST_SHARE = 1e-10


@dataclass(frozen=True)
class Shape:
    """How deep a tree is, how many rows and which share of the weight a leaf needs.

    `l2` is added to the weight of a side where its gain is taken.

    Parameters
    ----------
    depth : int
    min_samples_leaf : float, default=1
    min_weight_fraction_leaf : float, default=0.0
    l2 : float, default=0.0
    """

    depth: int
    min_samples_leaf: float = 1
    min_weight_fraction_leaf: float = 0.0
    l2: float = 0.0

    def limits(self, total: float) -> Floats:
        """Limits of a split, out of the total weight, as compiled code takes them."""
        return np.array([self.l2, self.least_weight(total), self.min_samples_leaf], dtype=float)

    def least_weight(self, total: float) -> float:
        """Weight that a leaf must exceed, out of the total."""
        return max(_LEAST_SHARE, self.min_weight_fraction_leaf) * total


def table(directions: Floats, weights: Floats) -> Floats:
    """Directions (n, D), weights (n,) and ones side by side, padded to eight columns."""
    n, dim = directions.shape
    rows = np.zeros((n, -(-(dim + 2) // 8) * 8))  # see `lanes`
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
) -> GrownTree:
    """Tree of largest gain, chosen greedily; a node where no split gains stays whole.

    Parameters
    ----------
    binned : BinnedRows, n rows
    rows : (n, K) array of `table`
    dim : int, D
    shape : Shape
    features : (m,) array, the features that may be split
    root : array, default=None
        The root's histogram, where it is known.
    work : array, default=None
        Room for histograms from `room`; None makes it.
    some : array of row numbers, default=None
        Rows that the search looks at, None for all; the others only walk to their leaves.
    threads : bool, default=False
        Whether several threads share the work. The tree is the same.
    """
    parts = threads_for(threads)
    if work is None:
        work = room(binned, len(features), rows.shape[1], shape, parts)
    if root is not None:
        work[0] = root
    members = np.arange(len(rows)) if some is None else some.copy()
    tree = GrowingTree(
        binned,
        features,
        members,
        rows.copy() if some is None else rows.take(members, axis=0),
        dim,
        shape.limits(rows[:, dim].sum()),
        work,
        shape.depth,
        parts,
    )
    tree.grow(root is not None)
    return tree.splits(some is None)


def room(binned: BinnedRows, n_features: int, width: int, shape: Shape, parts: int = 1) -> Floats:
    """Histograms of the nodes that wait while threads grow a tree, (., m, B, K), not yet filled."""
    slots = slots_for(shape.depth, parts)
    return np.empty((slots, n_features, int(binned.n_bins.max()) + 1, width))
