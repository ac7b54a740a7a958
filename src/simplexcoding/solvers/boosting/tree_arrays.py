"""The arrays in which a tree grows, and which of its nodes several threads search."""

from math import inf
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.threads import in_parts

# Additions below which a second thread costs more than it brings.
_LEAST_WORK_FOR_THREADS = 1 << 19
_WORDS = 4


def slots_for(depth: int, parts: int) -> int:
    """Histograms that trees of a depth need while so many threads grow parts of them.

    A node is left to the threads where it has at most one row in 2 parts. Fewer than 2 parts
    nodes of a level have more, so fewer than 4 parts of the next level are left.
    """
    return 2 * depth if parts == 1 else 2 * depth * parts + 4 * parts * (depth - 1)


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
    work : (., m, B, K) array, room for `slots_for` so many histograms; work[0] is that of the
        root if it is known
    depth : int, d
    parts : int, threads that grow it
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
        parts: int,
    ) -> None:
        self.binned, self.members, self._depth, self._parts = binned, members, depth, parts
        nodes = 2**depth - 1
        self.features = np.zeros(nodes, dtype=np.intp)
        self.gains = np.zeros(nodes)
        self.cuts = np.full(nodes, -1)
        self.missing_left = np.ones(nodes, dtype=bool)
        self.sets = None
        if binned.categorical.any():
            self.sets = np.zeros((nodes, _WORDS), dtype=np.int64)
        self.begins, self.ends, slots = np.zeros((3, 2 * nodes + 1), dtype=np.intp)
        self.ends[0] = len(members)
        self._columns = binned.codes, binned.n_bins, binned.categorical
        self._rows = candidates, members, table, np.empty_like(members), np.empty_like(table)
        self._sums = work, slots
        self._numbers = dim, limits
        some = np.zeros(table.shape[1] + 8)
        some[:dim] = 1.0
        self._tree = (
            some, self.features, self.gains, self.cuts, self.missing_left, self.sets,
            np.full(nodes, -1), self.begins, self.ends,
        )  # fmt: skip

    def _room(self, totals: Floats) -> tuple[Any, ...]:
        """Arrays that every thread writes to on its own: sums, what a search finds, a stack."""
        (dim, limits), work = self._numbers, self._sums[0]
        m, width = work.shape[1], work.shape[3]
        sets, orders = None, None
        if self.sets is not None:
            sets = np.zeros((2, m, _WORDS), dtype=np.int64)
            orders = np.zeros((m, dim, work.shape[2]), dtype=np.intp)
        found = np.zeros((2, m)), np.full((2, m), -1), np.zeros((2, m), bool), sets, orders
        stack = np.zeros((4 * self._parts + 2) * self._depth, dtype=np.intp)
        return totals, dim, limits, *found, np.empty((m, width)), stack

    def grow(self, root_is_known: bool) -> None:
        """Split nodes until nothing gains or the tree is full.

        Several threads search a large node together, feature by feature; nodes with few enough
        of the rows are then shared out among them. The tree is the same.
        """
        n, m, width = len(self.members), self._sums[0].shape[1], self._sums[0].shape[3]
        several = (
            self._parts > 1 and (n + self._sums[0].shape[2]) * m * width >= _LEAST_WORK_FOR_THREADS
        )
        most = float(_LEAST_WORK_FOR_THREADS) if several else inf
        alone = n // (2 * self._parts) if several else -1
        room = self._room(_sum_of_rows(self._rows[2]))
        state = np.array([1, 0, -1, root_is_known, alone, 2 * self._depth, 0])
        together = several and not root_is_known
        more = True
        while more:
            if together:
                in_parts(lambda first, last: self._call(room, state, -1.0, first, last), m)
            more = self._call(room, state, most, 0, 0 if together else m)
            together = True
        if several:
            self._share_out()

    def _share_out(self) -> None:
        """Split the nodes that the first call left, a thread each about the same number of rows."""
        slots, depth, parts = self._sums[1], self._depth, self._parts
        nodes = np.flatnonzero(slots[: len(self.features)] >= 2 * depth)
        rows = self.ends[nodes] - self.begins[nodes] + self._sums[0].shape[2]
        shares: list[list[int]] = [[] for _ in range(parts)]
        loads = np.zeros(parts)
        for place in np.argsort(-rows, kind="stable"):
            lightest = int(loads.argmin())
            shares[lightest].append(int(nodes[place]))
            loads[lightest] += rows[place]

        def split(first: int, last: int) -> None:
            for part in range(first, last):
                room = self._room(np.zeros((2, self._rows[2].shape[1])))
                room[-1][: len(shares[part])] = shares[part]
                begin = 0 if part == 0 else slots_for(depth, parts) - 2 * depth * part
                state = np.array([len(shares[part]), -1, -1, 0, -1, 0, begin])
                self._call(room, state, inf, 0, 0)

        in_parts(split, parts)

    def _call(self, room: Any, state: Indices, most: float, first: int, last: int) -> bool:
        from simplexcoding.solvers.boosting.loops.tree_growth import grow_nodes

        *own, stack = room
        arguments = *self._columns, *self._rows, *self._sums, *own, *self._tree
        return bool(grow_nodes(*arguments, stack, state, most, first, last))

    def splits(self, is_placed: bool) -> GrownTree:
        """The tree, and all rows in its leaves: placed by growing it, or sent down it now."""
        nodes, binned = len(self.features), self.binned
        members, begins, ends = self.members, self.begins[nodes:], self.ends[nodes:]
        if not is_placed:
            leaf = self._leaves()
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
        return GrownTree(
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

    def _leaves(self) -> Any:
        """Leaf of each row, (n,), in 16 bits, which sort in linear time."""
        from simplexcoding.solvers.boosting.loops.tree_growth import place_rows

        leaf = np.empty(self.binned.codes.shape[1], dtype=np.uint16)
        nodes = len(self.features)
        sizes = self.ends[nodes:] - self.begins[nodes:]
        leaf[self.members] = np.repeat(np.arange(nodes + 1, dtype=np.uint16), sizes)
        unseen = np.ones(len(leaf), dtype=bool)
        unseen[self.members] = False
        rows = np.flatnonzero(unseen)
        tree = self.features, self.cuts, self.missing_left, self.sets
        in_parts(
            lambda first, last: place_rows(*self._columns, *tree, rows, leaf, first, last),
            len(rows),
            self._parts > 1 and len(rows) >= _LEAST_WORK_FOR_THREADS >> 6,
        )
        return leaf


def _sum_of_rows(table: Floats) -> Floats:
    """Sums of the columns of a table and room for another row, (2, K)."""
    # Wide rows add up several times faster, in an order that does not depend on threads.
    sums = np.zeros((2, table.shape[1]))
    whole = len(table) // 64 * 64
    sums[0] = table[whole:].sum(axis=0)
    sums[0] += (
        table[:whole].reshape(-1, 64 * table.shape[1]).sum(axis=0).reshape(64, -1).sum(axis=0)
    )
    return sums
