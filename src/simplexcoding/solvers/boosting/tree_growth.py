"""A whole tree grown in compiled code. This module imports Numba: import it late.

A *table* is an (n, K) array with what a tree needs of each row: D columns of descent, then the
row's weight, its count of one, and padding that keeps rows aligned. A histogram holds sums of
table rows by feature and bin, (m, B, K).
"""

from typing import NamedTuple

import numpy as np
from numba import prange
from numpy.typing import NDArray

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.split_search import (
    TIE,
    WORDS,
    Limits,
    Sets,
    categorical_split,
    holds,
    numeric_split,
)

Codes = NDArray[np.uint8]

# Sums of a group of features stay in the second cache while a block of rows is added to them.
_GROUP = 8
_BLOCK = 128
# Additions below which a second thread costs more than it brings.
_WORTH_A_THREAD = 1 << 20


class Columns(NamedTuple):
    """Binned features and those of them that may be split.

    codes : (p, n) array
    n_bins : (p,) array, which is also the code of a missing value
    categorical : (p,) array
    candidates : (m,) array of features
    """

    codes: Codes
    n_bins: Indices
    categorical: Bools
    candidates: Indices


class Found(NamedTuple):
    """The best split of each candidate, for two nodes: gains, cuts, missing side and sets."""

    gains: Floats
    cuts: Indices
    missing_left: Bools
    sets: Sets


class GrownTree(NamedTuple):
    """Nodes of a complete tree, level by level, and the rows in each leaf.

    features, gains : (2^d - 1,) arrays
    cuts : (2^d - 1,) array, the last bin on the left; -1 where a node is not split
    missing_left : (2^d - 1,) array
    sets : (2^d - 1, WORDS) array, bins on the left where the feature is categorical
    begins, ends : (2^d,) arrays, the rows of a leaf in the permuted members
    """

    features: Indices
    gains: Floats
    cuts: Indices
    missing_left: Bools
    sets: Sets
    begins: Indices
    ends: Indices


@compiled
def add_rows(
    columns: Columns, members: Indices, table: Floats, sums: Floats, first: int, last: int
) -> None:
    """Add table rows up by bin for candidates first..last-1. O(len(members) m K)."""
    width = table.shape[1]
    for start in range(0, len(members), _BLOCK):
        end = min(start + _BLOCK, len(members))
        for j in range(first, last):
            code, by_bin = columns.codes[columns.candidates[j]], sums[j]
            for q in range(start, end):
                row, cell = table[q], by_bin[code[members[q]]]
                for k in range(width):
                    cell[k] += row[k]


@compiled
def _best_of_feature(
    columns: Columns, j: int, sums: Floats, total: Floats, dim: int, limits: Limits, found: Found,
    place: int,
) -> None:  # fmt: skip
    feature = columns.candidates[j]
    n_bins = columns.n_bins[feature]
    if columns.categorical[feature]:
        gain, cut = categorical_split(sums, n_bins, total, dim, limits, found.sets[place, j])
        missing_left = holds(found.sets[place, j], n_bins)
    else:
        gain, cut, missing_left = numeric_split(sums, n_bins, total, dim, limits)
    found.gains[place, j], found.cuts[place, j] = gain, cut
    found.missing_left[place, j] = missing_left


@compiled
def _group(columns: Columns, group: int) -> tuple[int, int]:
    """First candidate of a group and the one after its last."""
    return group * _GROUP, min((group + 1) * _GROUP, len(columns.candidates))


@compiled
def _groups(columns: Columns) -> int:
    return (len(columns.candidates) + _GROUP - 1) // _GROUP


@compiled
def _search_node(
    columns: Columns, members: Indices, table: Floats, sums: Floats, is_known: bool,
    totals: Floats, dim: int, limits: Limits, found: Found, group: int,
) -> None:  # fmt: skip
    """Sum a node, unless its sums are known, and search it, for a few candidates."""
    first, last = _group(columns, group)
    if not is_known:
        sums[first:last] = 0.0
        add_rows(columns, members, table, sums, first, last)
    for j in range(first, last):
        _best_of_feature(columns, j, sums[j], totals[0], dim, limits, found, 0)


@compiled
def _search_children(
    columns: Columns, members: Indices, table: Floats, sums: tuple[Floats, Floats, Floats],
    totals: Floats, dim: int, limits: Limits, found: Found, group: int,
) -> None:  # fmt: skip
    """Sum the smaller child, subtract for the larger, and search both, for a few candidates.

    sums : histograms of the smaller child, of the larger one, and of their parent
    """
    small, large, parent = sums
    _search_node(columns, members, table, small, False, totals, dim, limits, found, group)
    first, last = _group(columns, group)
    for j in range(first, last):
        for b in range(columns.n_bins[columns.candidates[j]] + 1):
            for k in range(table.shape[1]):
                large[j, b, k] = parent[j, b, k] - small[j, b, k]
        _best_of_feature(columns, j, large[j], totals[1], dim, limits, found, 1)


@compiled
def _root(
    columns: Columns, members: Indices, table: Floats, sums: Floats, is_known: bool,
    totals: Floats, dim: int, limits: Limits, found: Found,
) -> None:  # fmt: skip
    for group in range(_groups(columns)):
        _search_node(
            columns, members, table, sums, is_known, totals, dim, limits, found, group
        )  # fmt: skip


@compiled(parallel=True)
def _root_in_threads(
    columns: Columns, members: Indices, table: Floats, sums: Floats, is_known: bool,
    totals: Floats, dim: int, limits: Limits, found: Found,
) -> None:  # fmt: skip
    for group in prange(_groups(columns)):
        _search_node(
            columns, members, table, sums, is_known, totals, dim, limits, found, group
        )  # fmt: skip


@compiled
def _children(
    columns: Columns, members: Indices, table: Floats, sums: tuple[Floats, Floats, Floats],
    totals: Floats, dim: int, limits: Limits, found: Found,
) -> None:  # fmt: skip
    for group in range(_groups(columns)):
        _search_children(columns, members, table, sums, totals, dim, limits, found, group)


@compiled(parallel=True)
def _children_in_threads(
    columns: Columns, members: Indices, table: Floats, sums: tuple[Floats, Floats, Floats],
    totals: Floats, dim: int, limits: Limits, found: Found,
) -> None:  # fmt: skip
    for group in prange(_groups(columns)):
        _search_children(columns, members, table, sums, totals, dim, limits, found, group)


@compiled
def _best(found: Found, place: int) -> int:
    """Number of the best candidate, -1 where none gains; the first at ties."""
    best, gain = -1, 0.0
    for j in range(found.cuts.shape[1]):
        if found.cuts[place, j] >= 0 and found.gains[place, j] > gain * TIE:
            best, gain = j, found.gains[place, j]
    return best


@compiled
def _goes_left(code: int, cut: int, missing_left: bool, n_bins: int, words: Sets) -> bool:
    """Whether a row of that code goes left; `words` is empty where codes are in order."""
    if len(words):
        return holds(words, code)
    return code <= cut or (missing_left and code == n_bins)


@compiled
def _partition(
    code: Codes, members: Indices, table: Floats, cut: int, missing_left: bool, n_bins: int,
    words: Sets, spare_members: Indices, spare_table: Floats, totals: Floats,
) -> int:  # fmt: skip
    """Put the rows that go left first, in order, sum both sides, and count the left one."""
    width = table.shape[1]
    left, right = 0, 0
    totals[:] = 0.0
    for q in range(len(members)):
        i = members[q]
        side = 0 if _goes_left(code[i], cut, missing_left, n_bins, words) else 1
        for k in range(width):
            totals[side, k] += table[q, k]
        if side == 0:
            members[left] = i
            table[left] = table[q]
            left += 1
        else:
            spare_members[right] = i
            spare_table[right] = table[q]
            right += 1
    members[left:] = spare_members[:right]
    table[left:] = spare_table[:right]
    return left


@compiled
def grow_tree(
    columns: Columns, members: Indices, table: Floats, dim: int, depth: int, limits: Limits,
    work: Floats, root_is_known: bool, threads: bool,
) -> GrownTree:  # fmt: skip
    """Grow a tree of largest gain greedily; a node where no split gains stays whole.

    The histogram of the smaller child is summed and that of the larger one is what is left
    of the parent's, so a level costs at most half of the first: O(n m D d) in all.

    Parameters
    ----------
    members : (n,) rows to grow on; permuted, so that those of a leaf end up side by side
    table : (n, K) their table rows; permuted alike
    work : (2d, m, B, K) array, room for histograms; work[0] is that of the root if it is known
    threads : bool, whether large nodes are searched by several threads. The tree is the same.
    """
    nodes, m = 2**depth - 1, len(columns.candidates)
    tree = GrownTree(
        np.zeros(nodes, dtype=np.intp),
        np.zeros(nodes),
        np.full(nodes, -1),
        np.ones(nodes, dtype=np.bool_),
        np.zeros((nodes, WORDS), dtype=np.int64),
        np.zeros(2 * nodes + 1, dtype=np.intp),
        np.zeros(2 * nodes + 1, dtype=np.intp),
    )
    found = Found(
        np.zeros((2, m)),
        np.full((2, m), -1),
        np.zeros((2, m), dtype=np.bool_),
        np.zeros((2, m, WORDS), dtype=np.int64),
    )
    spare_members, spare_table = np.empty_like(members), np.empty_like(table)
    totals = np.zeros((2, table.shape[1]))
    for i in range(len(table)):
        totals[0] += table[i]
    if threads and table.size * m >= _WORTH_A_THREAD:
        _root_in_threads(
            columns, members, table, work[0], root_is_known, totals, dim, limits, found
        )  # fmt: skip
    else:
        _root(columns, members, table, work[0], root_is_known, totals, dim, limits, found)
    tree.ends[0] = len(members)
    candidate = np.full(nodes, -1)  # whose cut, set and missing side stand in the tree already
    stack, slots = np.empty(2 * depth + 1, dtype=np.intp), np.zeros(2 * nodes + 1, dtype=np.intp)
    _note(tree, candidate, 0, columns, found, 0)
    stack[0], height = 0, 1
    while height:
        height -= 1
        node = stack[height]
        a, z = tree.begins[node], tree.ends[node]
        left, right = 2 * node + 1, 2 * node + 2
        if candidate[node] < 0:
            leaf = left
            while leaf < nodes:
                leaf = 2 * leaf + 1
            tree.begins[leaf], tree.ends[leaf] = a, z
            continue
        feature = tree.features[node]
        n_bins = columns.n_bins[feature]
        words = tree.sets[node] if columns.categorical[feature] else tree.sets[node, :0]
        middle = a + _partition(
            columns.codes[feature], members[a:z], table[a:z], tree.cuts[node],
            tree.missing_left[node], n_bins, words, spare_members, spare_table, totals,
        )  # fmt: skip
        if work[slots[node], candidate[node], n_bins, dim + 1] == 0:
            # A value that was never missing here goes with the heavier side.
            tree.missing_left[node] = totals[0, dim] >= totals[1, dim]
        tree.begins[left], tree.ends[left] = a, middle
        tree.begins[right], tree.ends[right] = middle, z
        if left >= nodes:
            continue
        level = 1
        while 2 ** (level + 1) - 1 <= left:
            level += 1
        slots[left], slots[right] = 2 * level, 2 * level + 1
        small, large = (left, right) if middle - a <= z - middle else (right, left)
        if small == right:
            for k in range(table.shape[1]):
                totals[0, k], totals[1, k] = totals[1, k], totals[0, k]
        rows = slice(tree.begins[small], tree.ends[small])
        sums = (work[slots[small]], work[slots[large]], work[slots[node]])
        size = tree.ends[small] - tree.begins[small] + work.shape[2]
        if threads and size * m * table.shape[1] >= _WORTH_A_THREAD:
            _children_in_threads(
                columns, members[rows], table[rows], sums, totals, dim, limits, found
            )
        else:
            _children(columns, members[rows], table[rows], sums, totals, dim, limits, found)
        _note(tree, candidate, small, columns, found, 0)
        _note(tree, candidate, large, columns, found, 1)
        stack[height], stack[height + 1] = right, left
        height += 2
    return GrownTree(
        tree.features, tree.gains, tree.cuts, tree.missing_left, tree.sets,
        tree.begins[nodes:], tree.ends[nodes:],
    )  # fmt: skip


@compiled
def _note(
    tree: GrownTree, candidate: Indices, node: int, columns: Columns, found: Found, place: int
) -> None:
    """Write the best split of a node into the tree."""
    j = _best(found, place)
    candidate[node] = j
    if j >= 0:
        tree.features[node] = columns.candidates[j]
        tree.gains[node], tree.cuts[node] = found.gains[place, j], found.cuts[place, j]
        tree.missing_left[node] = found.missing_left[place, j]
        if columns.categorical[columns.candidates[j]]:
            tree.sets[node] = found.sets[place, j]


@compiled
def place_rows(columns: Columns, tree: GrownTree) -> tuple[Indices, Indices, Indices]:
    """Walk all rows down a tree: rows, leaf by leaf, and where each leaf begins and ends."""
    nodes, n = len(tree.features), columns.codes.shape[1]
    leaf = np.empty(n, dtype=np.intp)
    ends = np.zeros(nodes + 2, dtype=np.intp)
    for i in range(n):
        node = 0
        while node < nodes:
            feature, cut = tree.features[node], tree.cuts[node]
            if cut < 0:
                node = 2 * node + 1
                continue
            words = tree.sets[node] if columns.categorical[feature] else tree.sets[node, :0]
            n_bins = columns.n_bins[feature]
            code = columns.codes[feature, i]
            left = _goes_left(code, cut, tree.missing_left[node], n_bins, words)
            node = 2 * node + (1 if left else 2)
        leaf[i] = node - nodes
        ends[leaf[i] + 1] += 1
    for q in range(nodes + 1):
        ends[q + 1] += ends[q]
    begins = ends[:-1].copy()
    members = np.empty(n, dtype=np.intp)
    place = begins.copy()
    for i in range(n):
        members[place[leaf[i]]] = i
        place[leaf[i]] += 1
    return members, begins, ends[1:]
