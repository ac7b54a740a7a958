"""A tree that grows: its arrays, and which of its nodes several threads search."""

from math import inf
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.splits import Splits
from simplexcoding.threads import in_parts

# Additions below which a second thread costs more than it brings.
_WORTH_A_THREAD = 1 << 20
_WORDS = 4


class GrowingTree:
    """The arrays that compiled code grows a tree in; see `tree_growth`.

    Parameters
    ----------
    binned : BinnedRows
    candidates : (m,) array, features that may be split
    members : (n',) rows to grow on; permuted
    table : (n', K) their table rows; permuted alike
    dim : int, D
    limits : (3,) array, see `tree_growth`
    work : (2d, m, B, K) array, room for histograms; work[0] is that of the root if it is known
    depth : int, d
    """

    def __init__(
        self,
        binned: BinnedRows,
        candidates: Indices,
        members: Indices,
        table: Floats,
        dim: int,
        limits: Floats,
        work: Floats,
        depth: int,
    ) -> None:
        self.binned, self.members = binned, members
        nodes, m = 2**depth - 1, len(candidates)
        self.features = np.zeros(nodes, dtype=np.intp)
        self.gains = np.zeros(nodes)
        self.cuts = np.full(nodes, -1)
        self.missing_left = np.ones(nodes, dtype=bool)
        self.sets, found_sets, orders = None, None, None
        if binned.categorical.any():
            self.sets = np.zeros((nodes, _WORDS), dtype=np.int64)
            found_sets = np.zeros((2, m, _WORDS), dtype=np.int64)
            orders = np.zeros((m, dim, work.shape[2]), dtype=np.intp)
        self.begins, self.ends, self._slots = np.zeros((3, 2 * nodes + 1), dtype=np.intp)
        self.ends[0] = len(members)
        self._totals = np.zeros((2, table.shape[1]))
        self._totals[0] = np.add.reduce(table, axis=0)
        self._columns = binned.codes, binned.n_bins, binned.categorical
        self._rows = candidates, members, table
        self._found = (
            np.zeros((2, m)), np.full((2, m), -1), np.zeros((2, m), bool), found_sets, orders,
            np.empty((m, table.shape[1])),
        )  # fmt: skip
        self._sums = work, self._slots, self._totals, dim, limits
        self._stack = np.zeros(2 * depth + 1, dtype=np.intp)

    def grow(self, root_is_known: bool, threads: bool) -> None:
        """Split nodes until nothing gains or the tree is full."""
        from simplexcoding.solvers.boosting.tree_growth import grow_nodes

        candidates, members, table = self._rows
        work, m, width = self._sums[0], len(candidates), table.shape[1]
        nodes = self.features, self.gains, self.cuts, self.missing_left, self.sets
        chosen = np.full(len(self.features), -1)
        state = np.array([1, 0, -1, root_is_known])
        arguments = (
            *self._columns, *self._rows, np.empty_like(members), np.empty_like(table),
            *self._sums, *self._found, *nodes, chosen, self.begins, self.ends, self._stack, state,
        )  # fmt: skip
        known_rows = 0 if root_is_known else len(members)
        shared = threads and (known_rows + work.shape[2]) * m * width >= _WORTH_A_THREAD
        more = True
        while more:
            if shared:
                in_parts(lambda first, last: grow_nodes(*arguments, -1.0, first, last), m)
            most = float(_WORTH_A_THREAD) if threads else inf
            more = grow_nodes(*arguments, most, 0, 0 if shared else m)
            shared = True

    def splits(self, is_placed: bool, threads: bool) -> Splits:
        """The tree, and all rows in its leaves: placed by growing it, or sent down it now."""
        nodes, binned = len(self.features), self.binned
        members, begins, ends = self.members, self.begins[nodes:], self.ends[nodes:]
        if not is_placed:
            leaf = self._leaves(threads)
            members = np.argsort(leaf, kind="stable")
            ends = np.cumsum(np.bincount(leaf, minlength=nodes + 1))
            begins = np.r_[0, ends[:-1]]
        split = self.cuts >= 0
        by_set = split & binned.categorical[self.features]
        in_order = split & ~by_set
        thresholds = np.full(nodes, inf)
        thresholds[in_order] = binned.thresholds(self.features[in_order], self.cuts[in_order])
        set_of = np.full(nodes, -1)
        set_of[by_set] = np.arange(np.count_nonzero(by_set))
        sets = np.zeros((0, _WORDS), dtype=np.int64) if self.sets is None else self.sets[by_set]
        return Splits(
            self.features,
            thresholds,
            self.gains,
            self.missing_left,
            sets,
            set_of,
            members,
            begins,
            ends,
        )

    def _leaves(self, threads: bool) -> Any:
        """Leaf of each row, (n,), in 16 bits, which sort in linear time."""
        from simplexcoding.solvers.boosting.tree_growth import place_rows

        leaf = np.empty(self.binned.codes.shape[1], dtype=np.uint16)
        tree = self.features, self.cuts, self.missing_left, self.sets
        in_parts(
            lambda first, last: place_rows(*self._columns, *tree, leaf, first, last),
            len(leaf),
            threads and len(leaf) >= _WORTH_A_THREAD >> 6,
        )
        return leaf
