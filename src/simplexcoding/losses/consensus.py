"""Minimise a mixture of losses over one row of scores, by splitting over the classes."""

from collections.abc import Callable
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, slices

_TOLERANCE = 1e-11
_MAX_ITER = 20_000
_BLOCK = 2_000_000


def consensus_minimizer(prox: Callable[[Floats, Any, Floats], Floats], P: Floats) -> Floats:
    """Minimise sum_y P_y V(u, y) over sum-zero u for each row of P.

    Each class keeps its own copy of u; the copies are drawn to their mean (alternating
    directions with over-relaxation). Only the prox of V is needed. O(T^2) memory per row.

    A minimiser is where the copies agree and no longer move: then the steps of their prox
    are subgradients P_y g_y that sum to zero. Both residuals are at most 1e-11 in what is
    returned.

    Parameters
    ----------
    prox : callable (S, y, step) -> S'
    P : (m, T) array of probabilities

    Returns
    -------
    (m, T) array of scores

    Raises
    ------
    ArithmeticError
        Where 20,000 steps do not get there: write a `conditional_minimizer` for the loss.
    """
    size = max(1, _BLOCK // P.shape[1] ** 2)
    blocks = [_minimize(prox, P[part]) for part in slices(len(P), size)]
    return np.concatenate(blocks) if blocks else np.zeros_like(P)


def _minimize(prox: Callable[[Floats, Any, Floats], Floats], P: Floats) -> Floats:
    answer = np.zeros_like(P)
    rows = np.arange(len(P))
    n_classes = P.shape[1]
    mean = np.zeros_like(P)
    dual = np.zeros((len(P), n_classes, n_classes))
    for iteration in range(_MAX_ITER):
        m = len(rows)
        labels = np.tile(np.arange(n_classes), m)
        start = (mean[:, None, :] - dual).reshape(m * n_classes, n_classes)
        copies = prox(start, labels, n_classes * P[rows].ravel())
        copies = copies.reshape(m, n_classes, n_classes)
        relaxed = 1.6 * copies - 0.6 * mean[:, None, :]
        previous = mean
        mean = (relaxed + dual).mean(axis=1)
        dual += relaxed - mean[:, None, :]
        if iteration % 20 == 19:
            moved = np.abs(mean - previous).max(axis=1)
            apart = np.abs(copies - mean[:, None, :]).max(axis=(1, 2))
            going = np.maximum(moved, apart) > _TOLERANCE
            answer[rows[~going]] = mean[~going]
            rows, mean, dual = rows[going], mean[going], dual[going]
            if not rows.size:
                return answer
    raise ArithmeticError(
        f"no minimiser found for P = {P[rows[0]]} in {_MAX_ITER} steps of splitting; "
        "write a conditional_minimizer for the loss."
    )
