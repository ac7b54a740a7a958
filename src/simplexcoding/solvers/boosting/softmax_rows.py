"""Compiled passes over the probabilities of the rows. This module imports Numba: import it late.

P is an (n, T) array of float32: softmax of the scores of each row. A round multiplies it by the
exponentials of its leaves, so no exponential is ever taken per row and class.
"""

from math import exp, log

import numpy as np
from numba import prange
from numpy.typing import NDArray

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled

Singles = NDArray[np.float32]

# Rows of a block, which one thread passes over.
_BLOCK = 256
# A probability that is kept above zero may grow again.
_LEAST = np.float32(1e-30)
_ONE, _ZERO = np.float32(1.0), np.float32(0.0)


@compiled
def _blocks(n_rows: int) -> int:
    return (n_rows + _BLOCK - 1) // _BLOCK


@compiled(fastmath={"contract", "reassoc"})
def _multiply_row(row: Singles, by: Singles) -> None:
    """Multiply, and normalise to sum one."""
    total = _ZERO
    for k in range(len(by)):
        row[k] *= by[k]
        total += row[k]
    scale = _ONE / total
    for k in range(len(by)):
        row[k] = max(row[k] * scale, _LEAST)


@compiled
def _multiply_block(
    P: Singles, leaf: Indices, growth: Singles, y: Indices, weights: Floats, block: int
) -> float:
    """Multiply, normalise, and return the weighted log-loss of the block."""
    risk = 0.0
    for i in range(block * _BLOCK, min((block + 1) * _BLOCK, len(y))):
        _multiply_row(P[i], growth[leaf[i]])
        risk -= weights[i] * log(P[i, y[i]])
    return risk


@compiled
def multiply(P: Singles, leaf: Indices, growth: Singles, y: Indices, weights: Floats) -> float:
    """Multiply each row of P by the growth of its leaf, in place. O(n T).

    Parameters
    ----------
    growth : (L, T) array, exponentials of the leaves' scores

    Returns
    -------
    sum_i w_i (-log P_(i, y_i)) afterwards
    """
    risk = 0.0
    for block in range(_blocks(len(y))):
        risk += _multiply_block(P, leaf, growth, y, weights, block)
    return risk


@compiled(parallel=True)
def multiply_in_threads(
    P: Singles, leaf: Indices, growth: Singles, y: Indices, weights: Floats
) -> float:
    """`multiply` by several threads; the sum is taken in the same order."""
    risks = np.zeros(_blocks(len(y)))
    for block in prange(len(risks)):
        risks[block] = _multiply_block(P, leaf, growth, y, weights, block)
    risk = 0.0
    for block in range(len(risks)):
        risk += risks[block]
    return risk


@compiled(fastmath={"contract", "reassoc"})
def _sum_of_squares(row: Singles) -> np.float32:
    """Sum in whatever order is fastest, always the same one."""
    total = _ZERO
    for c in range(len(row)):
        total += row[c] * row[c]
    return total


@compiled(fastmath={"contract"})
def _eight(row: Singles, directions: Singles, first: int, own: int, along: Singles) -> None:
    """Eight components of e_own - p: sums that stay in registers."""
    a0, a1, a2, a3 = _ZERO, _ZERO, _ZERO, _ZERO
    a4, a5, a6, a7 = _ZERO, _ZERO, _ZERO, _ZERO
    for c in range(len(row)):
        p, d = row[c], directions[c, first : first + 8]
        a0 += p * d[0]
        a1 += p * d[1]
        a2 += p * d[2]
        a3 += p * d[3]
        a4 += p * d[4]
        a5 += p * d[5]
        a6 += p * d[6]
        a7 += p * d[7]
    d = directions[own, first : first + 8]
    along[0], along[1], along[2], along[3] = d[0] - a0, d[1] - a1, d[2] - a2, d[3] - a3
    along[4], along[5], along[6], along[7] = d[4] - a4, d[5] - a5, d[6] - a6, d[7] - a7


@compiled
def _project_block(
    P: Singles, y: Indices, weights: Floats, directions: Singles, table: Floats, k: int, block: int
) -> None:
    along = np.empty(8, dtype=np.float32)
    for i in range(block * _BLOCK, min((block + 1) * _BLOCK, len(y))):
        row, w = P[i], weights[i]
        squares = _sum_of_squares(row)
        for first in range(0, k, 8):
            _eight(row, directions, first, y[i], along)
            for d in range(first, min(first + 8, k)):
                table[i, d] = w * along[d - first]
        table[i, k] = w * max(_ONE - squares, _ZERO)
        table[i, k + 1] = 1.0


@compiled
def project(
    P: Singles, y: Indices, weights: Floats, directions: Singles, table: Floats, k: int
) -> None:
    """Write what a tree is grown on: descent along directions, curvature, count. O(n T k).

    The descent of a row is w (e_y - p), its curvature w sum_k p_k (1 - p_k), the trace of the
    Hessian of its logistic loss.

    Parameters
    ----------
    directions : (T, k') array, k' a multiple of eight; columns beyond the first k are padding
    table : (n, K) array, K >= k + 2, see `tree_growth`
    """
    for block in range(_blocks(len(y))):
        _project_block(P, y, weights, directions, table, k, block)


@compiled(parallel=True)
def project_in_threads(
    P: Singles, y: Indices, weights: Floats, directions: Singles, table: Floats, k: int
) -> None:
    """`project` by several threads."""
    for block in prange(_blocks(len(y))):
        _project_block(P, y, weights, directions, table, k, block)


@compiled
def _leaf_derivatives(
    P: Singles, y: Indices, weights: Floats, members: Indices, descent: Floats, curvature: Floats
) -> None:
    for i in members:
        row, w = P[i], np.float32(weights[i])
        for k in range(len(row)):
            p = w * row[k]
            descent[k] -= p
            curvature[k] += p * (_ONE - row[k])
        descent[y[i]] += weights[i]


@compiled
def leaf_derivatives(
    P: Singles, y: Indices, weights: Floats, members: Indices, begins: Indices, ends: Indices
) -> tuple[Floats, Floats]:
    """Descent and Hessian diagonal summed over the rows of each leaf, (L, T) both. O(n T)."""
    descent = np.zeros((len(begins), P.shape[1]))
    curvature = np.zeros((len(begins), P.shape[1]))
    for q in range(len(begins)):
        rows = members[begins[q] : ends[q]]
        _leaf_derivatives(P, y, weights, rows, descent[q], curvature[q])
    return descent, curvature


@compiled(parallel=True)
def leaf_derivatives_in_threads(
    P: Singles, y: Indices, weights: Floats, members: Indices, begins: Indices, ends: Indices
) -> tuple[Floats, Floats]:
    """`leaf_derivatives` by several threads, a leaf each."""
    descent = np.zeros((len(begins), P.shape[1]))
    curvature = np.zeros((len(begins), P.shape[1]))
    for q in prange(len(begins)):
        rows = members[begins[q] : ends[q]]
        _leaf_derivatives(P, y, weights, rows, descent[q], curvature[q])
    return descent, curvature


@compiled
def tempered_loss(
    scores: Floats, y: Indices, weights: Floats, beta: float
) -> tuple[float, float, float]:
    """Weighted log-loss of softmax(beta scores), and its two derivatives in beta. O(n T)."""
    loss, slope, curvature = 0.0, 0.0, 0.0
    for i in range(len(y)):
        row = scores[i]
        top = row.max()
        total, mean, square = 0.0, 0.0, 0.0
        for k in range(len(row)):
            below = row[k] - top
            p = exp(beta * below)
            total += p
            mean += p * below
            square += p * below * below
        mean /= total
        own = row[y[i]] - top
        loss += weights[i] * (log(total) - beta * own)
        slope += weights[i] * (mean - own)
        curvature += weights[i] * (square / total - mean * mean)
    return loss, slope, curvature
