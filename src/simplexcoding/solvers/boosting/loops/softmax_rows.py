"""Compiled passes over the probabilities of the rows. This module imports Numba: import it late.

P is an (n, W) array of float32: softmax of the scores of each row, T columns of it and padding
that is next to zero, see `padded`. A round multiplies it by the exponentials of its leaves, so
no exponential is ever taken per row and class. Every pass takes the first row, block or leaf
and the one after the last, for threads that share the work.
"""

from math import log

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.loops.lanes import (
    EIGHT,
    add_derivatives,
    multiply_eight,
    project_eight,
    scale_eight,
    square_of_eight,
)

Singles = NDArray[np.float32]

# Rows of a block, whose risk is summed on its own.
BLOCK = 256
# A probability that is kept above zero may grow again.
_LEAST_PROBABILITY = np.float32(1e-30)
_ONE, _ZERO = np.float32(1.0), np.float32(0.0)


def padded(columns: Singles) -> Singles:
    """The columns and zeros, as many as a multiple of eight needs."""
    width = -(-columns.shape[1] // EIGHT) * EIGHT
    wide = np.zeros((len(columns), width), dtype=np.float32)
    wide[:, : columns.shape[1]] = columns
    return wide


@compiled(error_model="numpy")
def multiply(
    P: Singles, leaf: Indices, factors: Singles, y: Indices, weights: Floats, risks: Floats,
    first: int, last: int,
) -> None:  # fmt: skip
    """Multiply each row of P by the factors of its leaf and normalise, in place. O(n T).

    Parameters
    ----------
    factors : (L, W) array, exponentials of the leaves' scores, padded
    risks : (blocks,) array
        Sums of w_i (-log P_(i, y_i)) afterwards, overwritten for blocks first..last-1.
    """
    width = P.shape[1]
    for block in range(first, last):
        risk = 0.0
        stop = (block + 1) * BLOCK
        for i in range(block * BLOCK, stop if stop < len(y) else len(y)):
            total, q = _ZERO, leaf[i]
            for k in range(0, width, EIGHT):
                total += multiply_eight(P, i * width + k, factors, q * width + k)
            scale = _ONE / total
            for k in range(0, width, EIGHT):
                scale_eight(P, i * width + k, scale, _LEAST_PROBABILITY)
            risk -= weights[i] * log(P[i, y[i]])
        risks[block] = risk


@compiled
def leaf_derivatives(
    P: Singles, y: Indices, weights: Floats, leaf: Indices, descent: Floats, curvature: Floats,
    first: int, last: int,
) -> None:  # fmt: skip
    """Add descent and Hessian diagonal of the rows of leaves first..last-1 up. O(n T).

    The rows are read in their order, whichever leaves are asked for: leaf by leaf every one
    would be fetched from far away.

    Parameters
    ----------
    descent, curvature : (L, W) arrays of zeros, overwritten
    """
    width = P.shape[1]
    for i in range(len(y)):
        q = leaf[i]
        if first <= q < last:
            w = np.float32(weights[i])
            for k in range(0, width, EIGHT):
                add_derivatives(descent, curvature, q * width + k, P, i * width + k, w)
            descent[q, y[i]] += weights[i]


@compiled(error_model="numpy")
def project(
    P: Singles, n_classes: int, y: Indices, weights: Floats, repeats: Floats,
    directions: Singles, n_directions: int, table: Floats, first: int, last: int,
) -> None:  # fmt: skip
    """Write the table rows first..last-1: descent along directions, curvature, repeats. O(n T k).

    Parameters
    ----------
    directions : (T, K) array, k directions and zeros
    table : (n, K) array, K at least k + 2 and a multiple of eight
    """
    width, wide = table.shape[1], P.shape[1]
    for i in range(first, last):
        w, square = weights[i], _ZERO
        for k in range(0, width, EIGHT):
            project_eight(
                table, i * width + k, P, i * wide, n_classes, directions, y[i], k, width, w
            )
        for k in range(0, wide, EIGHT):
            square += square_of_eight(P, i * wide + k)
        curvature = _ONE - square
        table[i, n_directions] = w * curvature if curvature > 0 else 0.0
        table[i, n_directions + 1] = repeats[i]
