"""A whole tree grown in compiled code. This module imports Numba: import it late.

A *table* is an (n, K) array with what a tree needs of each row: D columns of descent, then the
row's weight, how many rows it stands for, and padding that keeps rows aligned. A histogram
holds sums of table rows by feature and bin, (m, B, K), with the rows whose value is missing in
the bin after a feature's last, number `n_bins`. Gains are

    ||s_L||^2 / (w_L + l2) + ||s_R||^2 / (w_R + l2) - ||s||^2 / (w + l2),

s the sums of the D columns of descent and w that of the weight: with l2 = 0 the fall of the
weighted squared error of a regression tree with weights w and targets s/w.

Nodes of a complete tree of depth d are numbered level by level, 2^d - 1 of them and 2^d leaves.

The first tree of an installation waits for this to compile. So it is one function of plain
arrays and numbers, indexed one number or, by `lanes`, eight numbers at a time: records, slices,
`min` and every function that it would call take longer to compile than to run.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.loops.category_sets import fill_set, holds, sort_categories
from simplexcoding.solvers.boosting.loops.lanes import (
    EIGHT,
    add_eight,
    copy_eight,
    squares_of_eight,
    subtract_eight,
)

Codes = NDArray[np.uint8]

# Gains that differ by rounding are equal: the first feature and the lowest threshold win.
TIE = 1.0 + 1e-10

# Places in the state of a growing tree: how many nodes wait on the stack; the two nodes to search,
# -1 where there is none, and whether the histogram of the first of them is known; rows that a
# node must exceed to be split by this call, and the slot of the next one that does not; the
# first of the slots of the others, two for every level.
HEIGHT, SMALL, LARGE, KNOWN, ALONE, FREE, ROOM = range(7)

# Sums of a group of features stay in the second cache while a block of rows is added to them.
_FEATURES_TOGETHER = 8
_ROWS_TOGETHER = 128


@compiled(error_model="numpy")
def grow_nodes(
    codes: Codes, n_bins: Indices, categorical: Bools, candidates: Indices, members: Indices,
    table: Floats, spare_members: Indices, spare_table: Floats, work: Floats, slots: Indices,
    totals: Floats, dim: int, limits: Floats, gains: Floats, cuts: Indices, missing_left: Bools,
    sets: Any, orders: Any, left: Floats, some: Floats, features: Indices, node_gains: Floats,
    node_cuts: Indices, node_missing_left: Bools, node_sets: Any, chosen: Indices,
    begins: Indices, ends: Indices, stack: Indices, state: Indices, most: float, first: int,
    last: int,
) -> bool:  # fmt: skip
    """Split nodes by largest gain, depth first, until none is left; one without gain stays whole.

    Nodes of at most state[ALONE] rows are searched and left to later calls, which may go on
    from different nodes at the same time. The histogram of the smaller child is summed and that
    of the larger one is what is left of the parent's, so a level costs at most half of the
    first: O(n m D d) in all.

    Parameters
    ----------
    codes, n_bins, categorical : (p, n), (p,) and (p,) arrays of `BinnedRows`
    candidates : (m,) array, features that may be split
    members, table : (n,) and (n, K) arrays, permuted so that rows of a leaf end up side by side;
        spare_members and spare_table are room for that
    work : (., m, B, K) array of histograms, that of a node at its number in `slots`
    totals : (2, K) array, sums of a left child or the root, and of a right child
    limits : (3,) array, the l2 term, the weight that a side must exceed, the rows it must have
    gains, cuts, missing_left : (2, m) arrays, the best split of each feature in both nodes;
        the cut is the last bin on the left, -1 where nothing gains
    sets : (2, m, WORDS) array, bins on the left where a feature is categorical, or None where
        none is: what it takes to split categories is then not even compiled
    orders, left : (m, D, B) and (m, K) arrays, room for orders of categories and for sums
    some : (K + 8,) array, ones for the D columns of descent and then zeros
    features, node_gains, node_cuts, node_missing_left, node_sets : the tree, by node
    chosen : (2^d - 1,) array, number of a node's feature among the candidates
    begins, ends : (2^(d+1) - 1,) arrays, the rows of a node
    stack : (2d + 1,) array of nodes that wait
    state : (7,) array, see above
    most : float
        Additions beyond which the search of two children is left to the caller; below zero,
        nothing but a search is done: that of one thread among several.
    first, last : candidates first..last-1 of the nodes in the state are searched before all else

    Returns
    -------
    Whether the nodes state[SMALL] and state[LARGE] must be searched before the next call.
    """
    nodes, m, width, room = len(features), len(candidates), table.shape[1], work.shape[2]
    while True:
        # The best split of each feature. O(rows m K + m B K).
        for group in range(first, last, _FEATURES_TOGETHER):
            end_of_group = group + _FEATURES_TOGETHER
            if end_of_group > last:
                end_of_group = last
            first_node = state[SMALL]
            small, parent = slots[first_node], slots[(first_node - 1) // 2]
            if state[KNOWN] == 0:
                for j in range(group, end_of_group):
                    place = (small * m + j) * room * width
                    for k in range(0, (n_bins[candidates[j]] + 1) * width, EIGHT):
                        copy_eight(work, place + k, some, width)
                for start in range(begins[first_node], ends[first_node], _ROWS_TOGETHER):
                    stop = start + _ROWS_TOGETHER
                    if stop > ends[first_node]:
                        stop = ends[first_node]
                    for j in range(group, end_of_group):
                        feature, place = candidates[j], (small * m + j) * room
                        if width == EIGHT:
                            # A loop that is known to be short is quicker than one of a turn.
                            for q in range(start, stop):
                                b = place + codes[feature, members[q]]
                                add_eight(work, EIGHT * b, table, EIGHT * q)
                            continue
                        for q in range(start, stop):
                            b = (place + codes[feature, members[q]]) * width
                            for k in range(0, width, EIGHT):
                                add_eight(work, b + k, table, q * width + k)
            for j in range(group, end_of_group):
                feature = candidates[j]
                bins = n_bins[feature]
                for side in range(2):
                    if state[SMALL + side] < 0:
                        continue
                    node = state[SMALL + side]
                    slot, own = slots[node], 1 if node > 0 and node % 2 == 0 else 0
                    place = (slot * m + j) * room * width
                    if side == 1:
                        above, beside = (parent - slot) * m * room, (small - slot) * m * room
                        for k in range(place, place + (bins + 1) * width, EIGHT):
                            subtract_eight(work, k, k + above * width, k + beside * width)
                    base = 0.0
                    for k in range(dim):
                        base += totals[own, k] * totals[own, k]
                    base /= totals[own, dim] + limits[0] + 1e-300
                    # Without categories, a second way has the missing values on the left.
                    missing = work[slot, j, bins, dim + 1] > 0
                    ways = 2 if missing else 1
                    present = bins
                    if sets is not None and categorical[feature]:
                        ways = dim
                        present = sort_categories(work, slot, j, bins, dim, limits, orders)
                        missing = False
                    best, cut, best_way = 1e-12 * base, -1, 0
                    for way in range(ways):
                        missing_share = 1.0 if missing and way == 1 else 0.0
                        for k in range(width):
                            left[j, k] = missing_share * work[slot, j, bins, k]
                        # With missing values on the right, all others may stand on the left.
                        for last_left in range(present if missing and way == 0 else present - 1):
                            b = last_left
                            if sets is not None and categorical[feature]:
                                b = orders[j, way, last_left]
                            if work[slot, j, b, dim + 1] == 0:
                                continue
                            square, rest_square = 0.0, 0.0
                            for k in range(0, width, EIGHT):
                                add_eight(left, j * width + k, work, place + b * width + k)
                                one, other = squares_of_eight(
                                    left, j * width + k, totals, own * width + k, some, k
                                )
                                square += one
                                rest_square += other
                            weight, rows = left[j, dim], left[j, dim + 1]
                            rest_weight = totals[own, dim] - weight
                            if weight <= limits[1] or rest_weight <= limits[1]:
                                continue
                            if rows < limits[2] or totals[own, dim + 1] - rows < limits[2]:
                                continue
                            gain = square / (weight + limits[0]) - base
                            gain += rest_square / (rest_weight + limits[0])
                            if gain > best * TIE:
                                best, cut, best_way = gain, last_left, way
                    gains[side, j], cuts[side, j] = best, cut
                    missing_left[side, j] = missing and best_way == 1
                    if sets is not None and categorical[feature]:
                        fill_set(orders, j, best_way, cut + 1, sets, side)
                        missing_left[side, j] = holds(sets[side, j], bins)
        if most < 0:
            return True
        for side in range(2):
            node = state[SMALL + side]
            if node < 0:
                continue
            best, gain = -1, 0.0
            for j in range(m):
                if cuts[side, j] >= 0 and gains[side, j] > gain * TIE:
                    best, gain = j, gains[side, j]
            chosen[node] = best
            if best >= 0:
                features[node], node_gains[node] = candidates[best], gain
                node_cuts[node] = cuts[side, best]
                node_missing_left[node] = missing_left[side, best]
                if node_sets is not None and categorical[candidates[best]]:
                    for word in range(node_sets.shape[1]):
                        node_sets[node, word] = sets[side, best, word]
        state[SMALL], state[LARGE], state[KNOWN] = -1, -1, 0
        first, last = 0, 0
        if state[HEIGHT] == 0:
            return False
        state[HEIGHT] -= 1
        node = stack[state[HEIGHT]]
        begin, end = begins[node], ends[node]
        child = 2 * node + 1
        if chosen[node] < 0:
            while child < nodes:
                child = 2 * child + 1
            begins[child], ends[child] = begin, end
            continue
        feature, cut = features[node], node_cuts[node]
        bins = n_bins[feature]
        missing = bins if node_missing_left[node] else -1
        for side in range(2):
            for k in range(width):
                totals[side, k] = 0.0
        middle, apart = begin, begin
        for q in range(begin, end):
            i = members[q]
            code = codes[feature, i]
            on_left = code <= cut or code == missing
            if node_sets is not None and categorical[feature]:
                on_left = holds(node_sets[node], code)
            # Written to both sides; on the side where the row is not, the next one goes over it.
            side = 0 if on_left else 1
            members[middle] = spare_members[apart] = i
            for k in range(0, width, EIGHT):
                add_eight(totals, side * width + k, table, q * width + k)
                copy_eight(spare_table, apart * width + k, table, q * width + k)
                copy_eight(table, middle * width + k, table, q * width + k)
            middle += 1 - side
            apart += side
        for q in range(apart - begin):
            members[middle + q] = spare_members[begin + q]
            for k in range(0, width, EIGHT):
                copy_eight(table, (middle + q) * width + k, spare_table, (begin + q) * width + k)
        if work[slots[node], chosen[node], bins, dim + 1] == 0:
            # A value that was never missing here goes with the heavier side.
            node_missing_left[node] = totals[0, dim] >= totals[1, dim]
        begins[child], ends[child] = begin, middle
        begins[child + 1], ends[child + 1] = middle, end
        if child >= nodes:
            continue
        # Nodes of a level begin at 2^level - 1.
        level, nodes_above = 1, 3
        while nodes_above <= child:
            level, nodes_above = level + 1, 2 * nodes_above + 1
        for next_node in range(child + 1, child - 1, -1):
            if ends[next_node] - begins[next_node] > state[ALONE]:
                slots[next_node] = state[ROOM] + 2 * level + next_node - child
                stack[state[HEIGHT]] = next_node
                state[HEIGHT] += 1
            else:
                slots[next_node] = state[FREE]
                state[FREE] += 1
        state[SMALL], state[LARGE] = child, child + 1
        fewer = middle - begin
        if fewer > end - middle:
            fewer = end - middle
            state[SMALL], state[LARGE] = child + 1, child
        if (fewer + work.shape[2]) * m * width >= most:
            return True
        last = m


@compiled
def place_rows(
    codes: Codes, n_bins: Indices, categorical: Bools, features: Indices, cuts: Indices,
    missing_left: Bools, sets: Any, rows: Indices, leaf: Indices, first: int, last: int,
) -> None:  # fmt: skip
    """Walk rows[first:last] down a tree and write the numbers of their leaves to `leaf`, (n,)."""
    nodes = len(features)
    for q in range(first, last):
        i, node = rows[q], 0
        while node < nodes:
            feature, cut = features[node], cuts[node]
            code = codes[feature, i]
            # No branch on what a row says: it could not be foretold.
            on_left = (code <= cut) | (missing_left[node] & (code == n_bins[feature])) | (cut < 0)
            if sets is not None and categorical[feature] and cut >= 0:
                on_left = holds(sets[node], code)
            node = 2 * node + (1 if on_left else 2)
        leaf[i] = node - nodes
