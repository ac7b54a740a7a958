"""A whole tree grown in compiled code. This module imports Numba: import it late.

A *table* is an (n, K) array with what a tree needs of each row: D columns of descent, then the
row's weight, how many rows it stands for, and padding that keeps rows aligned. A histogram
holds sums of table rows by feature and bin, (m, B, K).

Nodes of a complete tree of depth d are numbered level by level, 2^d - 1 of them and 2^d leaves.
"""

from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.node_search import Codes, search
from simplexcoding.solvers.boosting.split_search import TIE, holds

# Places in the state of a growing tree: how many nodes wait on the stack, and the two nodes that
# were searched last, -1 where there is none.
HEIGHT, SMALL, LARGE = 0, 1, 2


@compiled(error_model="numpy")
def grow_nodes(
    codes: Codes, n_bins: Indices, categorical: Bools, candidates: Indices, members: Indices,
    table: Floats, spare_members: Indices, spare_table: Floats, work: Floats, slots: Indices,
    totals: Floats, dim: int, limits: Floats, gains: Floats, cuts: Indices, missing_left: Bools,
    sets: Any, features: Indices, node_gains: Floats, node_cuts: Indices,
    node_missing_left: Bools, node_sets: Any, chosen: Indices, begins: Indices, ends: Indices,
    stack: Indices, state: Indices, most: float,
) -> bool:  # fmt: skip
    """Split nodes by largest gain, depth first, until none is left; one without gain stays whole.

    The histogram of the smaller child is summed and that of the larger one is what is left
    of the parent's, so a level costs at most half of the first: O(n m D d) in all.

    Parameters
    ----------
    codes to sets : see `search`; members and table are permuted, so that rows of a leaf end up
        side by side, and spare_members and spare_table are room for that
    slots : (2^(d+1) - 1,) array, places of the nodes' histograms in work
    features, node_gains, node_cuts, node_missing_left, node_sets : the tree, by node
    chosen : (2^d - 1,) array, number of a node's feature among the candidates
    begins, ends : (2^(d+1) - 1,) arrays, the rows of a node
    stack : (2d + 1,) array of nodes that wait
    state : (3,) array, see above
    most : float
        Additions beyond which the search of two children is left to the caller.

    Returns
    -------
    Whether the nodes state[SMALL] and state[LARGE] must be searched before the next call.
    """
    nodes, m, width = len(features), len(candidates), table.shape[1]
    while True:
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
        state[SMALL], state[LARGE] = -1, -1
        if state[HEIGHT] == 0:
            return False
        state[HEIGHT] -= 1
        node = stack[state[HEIGHT]]
        begin, end = begins[node], ends[node]
        left, right = 2 * node + 1, 2 * node + 2
        if chosen[node] < 0:
            while left < nodes:
                left = 2 * left + 1
            begins[left], ends[left] = begin, end
            continue
        feature, cut = features[node], node_cuts[node]
        bins = n_bins[feature]
        missing = bins if node_missing_left[node] else -1
        for side in range(2):
            for k in range(width):
                totals[side, k] = 0.0
        middle, apart = begin, 0
        for q in range(begin, end):
            i = members[q]
            code = codes[feature, i]
            on_left = code <= cut or code == missing
            if node_sets is not None and categorical[feature]:
                on_left = holds(node_sets[node], code)
            if on_left:
                members[middle] = i
                for k in range(width):
                    totals[0, k] += table[q, k]
                    table[middle, k] = table[q, k]
                middle += 1
            else:
                spare_members[apart] = i
                for k in range(width):
                    totals[1, k] += table[q, k]
                    spare_table[apart, k] = table[q, k]
                apart += 1
        for q in range(apart):
            members[middle + q] = spare_members[q]
            for k in range(width):
                table[middle + q, k] = spare_table[q, k]
        if work[slots[node], chosen[node], bins, dim + 1] == 0:
            # A value that was never missing here goes with the heavier side.
            node_missing_left[node] = totals[0, dim] >= totals[1, dim]
        begins[left], ends[left] = begin, middle
        begins[right], ends[right] = middle, end
        if left >= nodes:
            continue
        level = 1
        while 2 ** (level + 1) - 1 <= left:
            level += 1
        slots[left], slots[right] = 2 * level, 2 * level + 1
        stack[state[HEIGHT]], stack[state[HEIGHT] + 1] = right, left
        state[HEIGHT] += 2
        small, large = left, right
        if middle - begin > end - middle:
            small, large = right, left
            for k in range(width):
                totals[0, k], totals[1, k] = totals[1, k], totals[0, k]
        state[SMALL], state[LARGE] = small, large
        if (ends[small] - begins[small] + work.shape[2]) * m * width >= most:
            return True
        search(
            codes, n_bins, categorical, candidates, members, table, begins[small], ends[small],
            work, slots[small], slots[large], slots[node], totals, dim, limits, gains, cuts,
            missing_left, sets, np.intp(0), m,
        )  # fmt: skip


@compiled
def place_rows(
    codes: Codes, n_bins: Indices, categorical: Bools, features: Indices, cuts: Indices,
    missing_left: Bools, sets: Any, leaf: Indices, first: int, last: int,
) -> None:  # fmt: skip
    """Walk rows first..last-1 down a tree and write the numbers of their leaves."""
    nodes = len(features)
    for i in range(first, last):
        node = 0
        while node < nodes:
            feature, cut = features[node], cuts[node]
            on_left = True
            if cut >= 0:
                code = codes[feature, i]
                on_left = code <= cut or (missing_left[node] and code == n_bins[feature])
                if sets is not None and categorical[feature]:
                    on_left = holds(sets[node], code)
            node = 2 * node + (1 if on_left else 2)
        leaf[i] = node - nodes
