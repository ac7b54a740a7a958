"""A pass over sparse rows, one by one, that touches only their non-zeros.

This module imports Numba, so it is imported on first use.
"""

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled
from simplexcoding.losses.loss import RowStep
from simplexcoding.solvers.stochastic.row_step import running_means, share, step_in_scores
from simplexcoding.solvers.stochastic.stream import Rule

# Scales are folded back before this many digits of V or M could cancel, or overflow.
_SMALLEST_SCALE = 1e-3


@compiled(error_model="numpy")
def sparse_pass(
    gradient: RowStep,
    rule: Rule,
    data: Floats,
    indices: Indices,
    indptr: Indices,
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
    """Learn from the rows `order` of a CSR matrix, for every lambda; see `step_in_scores`.

    Within the pass a feature's weights are held as one row (V_j, M_j), with

        weights = s V,    average = alpha V + beta M,

    so that shrinking is O(1) and a row costs 3 T multiply-adds per non-zero for each lambda.
    Parameters and answer are those of `dense_pass`, with a CSR matrix's arrays for X.
    """
    n_models, n_features, n_classes = U.shape
    u = np.empty(n_classes)
    d = np.empty(n_classes)
    move = np.empty(2 * n_classes, dtype=U.dtype)
    # Of each model: s, alpha, beta.
    scales = np.empty((n_models, 3))
    both = np.empty((n_models, n_features, 2 * n_classes), dtype=U.dtype)
    for a in range(n_models):
        _copy(U[a], both[a], 0)
        _copy(U_mean[a], both[a], n_classes)
        scales[a, 0], scales[a, 1], scales[a, 2] = 1.0, 0.0, 1.0
    for row in order:
        first, last = indptr[row], indptr[row + 1]
        square = 0.0
        for i in range(first, last):
            square += float(data[i]) * data[i]
        t += 1
        running_means(means, t, w[row], square)
        for a in range(n_models):
            VM, scale = both[a], scales[a]
            for k in range(n_classes):
                u[k] = 0.0
            for i in range(first, last):
                _add(u, VM[indices[i]], data[i], n_classes)
            for k in range(n_classes):
                u[k] *= scale[0]
            shrink, norms[a], value = step_in_scores(
                gradient, rule, lambdas[a], t, w[row], square, means, y[row], u, b[a], norms[a], d
            )
            losses[a] += w[row] * value
            # M moves against V, so that the average stays where it is.
            against = -scale[1] / scale[2]
            largest = 0.0
            for k in range(n_classes):
                move[k] = d[k] / scale[0]
                move[n_classes + k] = against * move[k]
                largest = max(largest, abs(d[k]))
            if largest > 0.0:
                width = n_classes if against == 0.0 else 2 * n_classes
                for i in range(first, last):
                    _add(VM[indices[i]], move, data[i], width)
            scale[0] *= shrink
            rho = share(rule, t)
            if rho > 0.0:
                for k in range(n_classes):
                    b_mean[a, k] += rho * (b[a, k] - b_mean[a, k])
                if rho == 1.0:
                    for j in range(n_features):
                        for k in range(n_classes):
                            VM[j, n_classes + k] = 0.0
                    scale[1], scale[2] = scale[0], 1.0
                else:
                    scale[1] = (1.0 - rho) * scale[1] + rho * scale[0]
                    scale[2] *= 1.0 - rho
            if scale[0] < _SMALLEST_SCALE or scale[2] < _SMALLEST_SCALE:
                norms[a] = _fold(VM, scale)
    for a in range(n_models):
        _fold(both[a], scales[a])
        for j in range(n_features):
            for k in range(n_classes):
                U[a, j, k] = both[a, j, k]
                U_mean[a, j, k] = both[a, j, n_classes + k]
    return t


@compiled(error_model="numpy")
def _copy(source: Floats, target: Floats, column: int) -> None:
    for j in range(source.shape[0]):
        for k in range(source.shape[1]):
            target[j, column + k] = source[j, k]


@compiled(error_model="numpy")
def _add(target: Floats, source: Floats, factor: float, width: int) -> None:
    for k in range(width):
        target[k] += factor * source[k]


@compiled(error_model="numpy")
def _fold(VM: Floats, scale: Floats) -> float:
    """Put the scales into V and M, so that s = 1, alpha = 0, beta = 1; the new ||V||^2."""
    n_classes = VM.shape[1] // 2
    total = 0.0
    for j in range(VM.shape[0]):
        for k in range(n_classes):
            VM[j, n_classes + k] = scale[1] * VM[j, k] + scale[2] * VM[j, n_classes + k]
            VM[j, k] *= scale[0]
            total += float(VM[j, k]) * VM[j, k]
    scale[0], scale[1], scale[2] = 1.0, 0.0, 1.0
    return total
