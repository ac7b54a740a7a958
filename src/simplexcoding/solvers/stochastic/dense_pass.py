"""A pass over dense rows, by exact blocks.

This module imports Numba, so it is imported on first use.
"""

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.losses.loss import RowStep
from simplexcoding.solvers.stochastic.row_step import running_means, share, step_in_scores
from simplexcoding.solvers.stochastic.stream import Rule

BLOCK_ROWS = 32

# A block's steps are applied before its scale has fallen further: digits would cancel.
_SMALLEST_SCALE = 1e-3


@compiled(error_model="numpy")
def dense_pass(
    gradient: RowStep,
    rule: Rule,
    X: Floats,
    y: Indices,
    w: Floats,
    order: Indices,
    t: int,
    means: Floats,
    lambdas: Floats,
    U: Floats,
    b: Floats,
    U_mean: Floats,
    b_mean: Floats,
    norms: Floats,
    losses: Floats,
) -> int:
    """Learn from the rows `order` of X, for every lambda at once; see `step_in_scores`.

    A block of rows is exact: its scores U'x and its Gram matrix come from two matrix
    products, its steps run one after the other on scores alone, and a third product applies
    them to U. A row costs 2 p T multiply-adds for each lambda, and p BLOCK_ROWS for the Gram
    matrix, which all of them share.

    Parameters
    ----------
    gradient : compiled row step of the loss
    rule : Rule
    X, y, w : (n, p), (n,), (n,) arrays: rows, class indices, positive weights
    order : (r,) array of row numbers
    t : int, rows seen so far
    means : (2,) array, updated
    lambdas : (m,) array
    U, U_mean : (m, p, T) arrays, updated
    b, b_mean : (m, T) arrays, updated
    norms : (m,) array, ||U||^2 of each model, updated
    losses : (m,) array, to which each row's w V just before its step is added

    Returns
    -------
    int, rows seen by now
    """
    n_models, n_features, n_classes = U.shape
    gathered = np.empty((BLOCK_ROWS, n_features), dtype=X.dtype)
    S = np.empty((BLOCK_ROWS, n_classes), dtype=X.dtype)
    D = np.empty((BLOCK_ROWS, n_classes), dtype=X.dtype)
    change = np.empty((n_features, n_classes), dtype=X.dtype)
    seen = np.empty((BLOCK_ROWS, 2))
    start = 0
    while start < len(order):
        # A block ends where the average takes an iterate in, however the stream is cut.
        end = start + (rule.period - t % rule.period if rule.period > 0 else BLOCK_ROWS)
        m = BLOCK_ROWS if start + BLOCK_ROWS < end else end - start
        m = m if start + m < len(order) else len(order) - start
        chosen = order[start : start + m]
        # Element by element: an assignment of rows takes seconds to compile.
        for i in range(m):
            source, target = X[chosen[i]], gathered[i]
            for j in range(n_features):
                target[j] = source[j]
        rows, K = gathered[:m], np.empty((m, m), dtype=X.dtype)
        np.dot(rows, rows.T, K)
        for i in range(m):
            running_means(means, t + i + 1, w[chosen[i]], K[i, i])
            seen[i, 0], seen[i, 1] = means[0], means[1]
        for a in range(n_models):
            norms[a], value = _block(
                gradient,
                rule,
                lambdas[a],
                t,
                chosen,
                y,
                w,
                rows,
                K,
                seen,
                U[a],
                b[a],
                norms[a],
                S[:m],
                D,
                change,
            )
            losses[a] += value
        start += m
        t += m
        rho = share(rule, t)
        if rho > 0.0:
            for a in range(n_models):
                _combine(U_mean[a], U[a], 1.0 - rho, rho)
            _combine(b_mean, b, 1.0 - rho, rho)
    return t


@compiled(error_model="numpy", inline="always")
def _block(
    gradient: RowStep,
    rule: Rule,
    lambda_: float,
    t: int,
    chosen: Indices,
    y: Indices,
    w: Floats,
    rows: Floats,
    K: Floats,
    seen: Floats,
    U: Floats,
    b: Floats,
    norm: float,
    S: Floats,
    D: Floats,
    change: Floats,
) -> tuple[float, float]:
    """Make one model's steps of a block; S, D and change are room to work in.

    Steps are gathered in D and shrunk, for which the weights are shrunk (U + rows' D), until
    the block ends or shrunk is small. Returns ||U||^2 and the sum of w V.
    """
    n_rows, n_classes = S.shape
    vectors = np.empty((2, n_classes))
    u, d = vectors[0], vectors[1]
    first, total = 0, 0.0
    while first < n_rows:
        np.dot(rows[first:], U, S[first:])
        last, shrunk = first, 1.0
        while last < n_rows and shrunk >= _SMALLEST_SCALE:
            for k in range(n_classes):
                u[k] = S[last, k]
            for j in range(first, last):
                near = K[last, j]
                for k in range(n_classes):
                    u[k] += near * D[j, k]
            for k in range(n_classes):
                u[k] *= shrunk
            i = chosen[last]
            number, square, means = t + last + 1, K[last, last], seen[last]
            shrink, norm, value = step_in_scores(
                gradient, rule, lambda_, number, w[i], square, means, y[i], u, b, norm, d
            )
            for k in range(n_classes):
                D[last, k] = d[k] / shrunk
            shrunk *= shrink
            total += w[i] * value
            last += 1
        np.dot(rows[first:last].T, D[first:last], change)
        norm = _combine(U, change, shrunk, shrunk)
        first = last
    return norm, total


@compiled(fastmath=True)
def _combine(A: Floats, B: Floats, a: float, b: float) -> float:
    """A <- a A + b B; the new ||A||^2."""
    of_A, of_B = A.dtype.type(a), A.dtype.type(b)
    total = 0.0
    for j in range(A.shape[0]):
        for k in range(A.shape[1]):
            A[j, k] = of_A * A[j, k] + of_B * B[j, k]
            total += A[j, k] * A[j, k]
    return total
