"""Compiled passes over the probabilities of the rows. This module imports Numba: import it late.

P is an (n, T) array of float32: softmax of the scores of each row. A round multiplies it by the
exponentials of its leaves, so no exponential is ever taken per row and class. Every pass takes
the first row, block or leaf and the one after the last, for threads that share the work.
"""

from math import log

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled

Singles = NDArray[np.float32]

# Rows of a block, whose risk is summed on its own.
BLOCK = 256
# A probability that is kept above zero may grow again.
_LEAST_PROBABILITY = np.float32(1e-30)
_ONE, _ZERO = np.float32(1.0), np.float32(0.0)


@compiled(fastmath={"contract", "reassoc"}, error_model="numpy")
def multiply(
    P: Singles, leaf: Indices, factors: Singles, y: Indices, weights: Floats, risks: Floats,
    first: int, last: int,
) -> None:  # fmt: skip
    """Multiply each row of P by the factors of its leaf and normalise, in place. O(n T).

    Parameters
    ----------
    factors : (L, T) array, exponentials of the leaves' scores
    risks : (blocks,) array
        Sums of w_i (-log P_(i, y_i)) afterwards, overwritten for blocks first..last-1.
    """
    n_classes = P.shape[1]
    for block in range(first, last):
        risk = 0.0
        stop = (block + 1) * BLOCK
        for i in range(block * BLOCK, stop if stop < len(y) else len(y)):
            total, q = _ZERO, leaf[i]
            for k in range(n_classes):
                p = P[i, k] * factors[q, k]
                P[i, k] = p
                total += p
            scale = _ONE / total
            for k in range(n_classes):
                p = P[i, k] * scale
                P[i, k] = p if p > _LEAST_PROBABILITY else _LEAST_PROBABILITY
            risk -= weights[i] * log(P[i, y[i]])
        risks[block] = risk


@compiled
def leaf_derivatives(
    P: Singles, y: Indices, weights: Floats, members: Indices, begins: Indices, ends: Indices,
    descent: Floats, curvature: Floats, first: int, last: int,
) -> None:  # fmt: skip
    """Add descent and Hessian diagonal of the rows of leaves first..last-1 up. O(n T).

    Parameters
    ----------
    members : (n,) rows, those of leaf q from begins[q] to ends[q] - 1
    descent, curvature : (L, T) arrays of zeros, overwritten
    """
    n_classes = P.shape[1]
    for q in range(first, last):
        for place in range(begins[q], ends[q]):
            i = members[place]
            w = np.float32(weights[i])
            for k in range(n_classes):
                p = w * P[i, k]
                descent[q, k] -= p
                curvature[q, k] += p * (_ONE - P[i, k])
            descent[q, y[i]] += weights[i]
