"""A pass over dense rows, by exact blocks.

This module imports Numba, so it is imported on first use.
"""

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.solvers.stochastic.row_step import running_means, step_in_scores
from simplexcoding.solvers.stochastic.stream import Rule

SIZE = 32


@compiled
def dense_pass(
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
    losses: Floats,
) -> int:
    """Learn from the rows `order` of X, for every lambda at once; see `step_in_scores`.

    A block of rows is exact: its scores U'x and its Gram matrix come from two matrix
    products, its steps run one after the other on scores alone, and a third product applies
    them to U. A row costs 2 p T multiply-adds for each lambda, and p SIZE for the Gram
    matrix, which all of them share.

    Parameters
    ----------
    X, y, w : (n, p), (n,), (n,) arrays: rows, class indices, positive weights
    order : (r,) array of row numbers
    t : int, rows seen so far
    means : (2,) array, updated
    lambdas : (m,) array
    U, U_mean : (m, p, T) arrays, updated
    b, b_mean : (m, T) arrays, updated
    losses : (m,) array, to which each row's w V just before its step is added

    Returns
    -------
    int, rows seen by now
    """
    n_models, n_features, n_classes = U.shape
    gathered = np.empty((SIZE, n_features), dtype=X.dtype)
    gram = np.empty(SIZE * SIZE, dtype=X.dtype)
    S = np.empty((SIZE, n_classes), dtype=X.dtype)
    D = np.empty((SIZE, n_classes), dtype=X.dtype)
    change = np.empty((n_features, n_classes), dtype=X.dtype)
    seen = np.empty((SIZE, 2))
    norms = np.zeros(n_models)
    change[:] = 0.0
    for a in range(n_models):
        norms[a] = _apply(U[a], change, 1.0)
    start = 0
    while start < len(order):
        m = min(SIZE, len(order) - start)
        # A block ends where the average takes an iterate in, however the stream is cut.
        if rule.period > 0:
            m = min(m, rule.period - t % rule.period)
        chosen = order[start : start + m]
        for i in range(m):
            gathered[i] = X[chosen[i]]
        rows = gathered[:m]
        K = gram[: m * m].reshape(m, m)
        np.dot(rows, rows.T, K)
        for i in range(m):
            running_means(means, t + i + 1, w[chosen[i]], K[i, i])
            seen[i] = means
        for a in range(n_models):
            np.dot(rows, U[a], S[:m])
            shrunk, total = _block(rule, lambdas[a], t, chosen, y, w, K, seen, S, D, b[a], norms[a])
            losses[a] += total
            np.dot(rows.T, D[:m], change)
            norms[a] = _apply(U[a], change, shrunk)
        start += m
        t += m
        if rule.period > 0 and t % rule.period == 0:
            rho = 2.0 / (t // rule.period + 1.0)
            _take_in(U_mean.ravel(), U.ravel(), rho)
            _take_in(b_mean.ravel(), b.ravel(), rho)
    return t


@compiled
def _block(
    rule: Rule,
    lambda_: float,
    t: int,
    chosen: Indices,
    y: Indices,
    w: Floats,
    K: Floats,
    seen: Floats,
    S: Floats,
    D: Floats,
    b: Floats,
    norm: float,
) -> tuple[float, float]:
    """Make one model's steps from S = rows U: after them, U is shrunk (U + rows' D)."""
    n_classes = S.shape[1]
    u = np.empty(n_classes)
    d = np.empty(n_classes)
    shrunk, total = 1.0, 0.0
    for i in range(len(chosen)):
        for k in range(n_classes):
            u[k] = S[i, k]
        for j in range(i):
            near = K[i, j]
            for k in range(n_classes):
                u[k] += near * D[j, k]
        for k in range(n_classes):
            u[k] *= shrunk
        row = chosen[i]
        shrink, norm, value = step_in_scores(
            rule, lambda_, t + i + 1, w[row], K[i, i], seen[i], y[row], u, b, norm, d
        )
        for k in range(n_classes):
            D[i, k] = d[k] / shrunk
        shrunk *= shrink
        total += w[row] * value
    return shrunk, total


@compiled(fastmath=True)
def _apply(U: Floats, change: Floats, shrunk: float) -> float:
    """U <- shrunk (U + change); the new ||U||^2."""
    flat, more = U.ravel(), change.ravel()
    factor = flat.dtype.type(shrunk)
    total = 0.0
    for j in range(len(flat)):
        flat[j] = factor * (flat[j] + more[j])
        total += flat[j] * flat[j]
    return total


@compiled
def _take_in(mean: Floats, new: Floats, rho: float) -> None:
    share = mean.dtype.type(rho)
    for j in range(len(mean)):
        mean[j] += share * (new[j] - mean[j])
