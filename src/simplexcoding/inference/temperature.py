"""One temperature for a softmax of scores, fitted to left-out rows."""

from typing import Any

import numpy as np
from scipy.special import logsumexp

from simplexcoding.arrays import Floats, Indices, row_blocks

# Log-loss that is no longer worth a step.
_LOG_LOSS_TOLERANCE = 1e-12
# Scores beyond which rows are first sampled, then passed over in single precision.
_LARGEST_IN_DOUBLE = 100_000
_SAMPLE_ROWS = 2500


def log_loss(scores: Floats, y: Indices, weights: Floats | None = None) -> float:
    """Mean of logsumexp(scores) - own score."""
    own = scores[np.arange(len(y)), y]
    return float(np.average(logsumexp(scores, axis=1) - own, weights=weights))


def row_count(n_rows: int, weights: Floats | None) -> float:
    """Number of rows that weights stand for.

    Their sum where they count repeats; (sum w)^2 / sum w^2, which no unit of weight changes,
    where that is more, as for weights that sum to one.
    """
    if weights is None:
        return float(n_rows)
    total = float(weights.sum())
    return max(total, total**2 / max(float(weights @ weights), np.finfo(float).tiny))


def fit_temperature(
    scores: Floats, y: Indices, weights: Floats | None = None, start: float = 1.0
) -> float:
    """Inverse temperature beta >= 0 of least log-loss of softmax(beta scores), with a prior.

    One row of unknown label, spread over all n rows, stands beside them: the target of a row
    is (1 - s) e_y + s/T with s = 1/(n + 1). Without it rows that are all right, with a
    margin, would let beta grow for ever; with it the rows' mean probability of a wrong class
    is not below about 1/n, as the rule of succession has it, whatever the unit of the
    scores. The prior vanishes as rows come.

    The loss is convex in beta; a bracketed Newton method finds its root from `start`, O(n T)
    per step and a block of rows at a time. Where the scores are many the root of some rows
    comes first.

    Parameters
    ----------
    scores : (n, T) array
    y : (n,) array of class indices
    weights : (n,) array, default=None
        None for ones; n is then the number of rows that they stand for.
    start : float, default=1.0

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> separated = np.eye(3)[np.arange(30) % 3]
    >>> round(fit_temperature(separated, np.arange(30) % 3), 2)
    4.51
    """
    smoothing = 1 / (row_count(len(y), weights) + 1)
    if scores.size <= _LARGEST_IN_DOUBLE or len(y) <= 2 * _SAMPLE_ROWS:
        return _root(start, scores, y, weights, smoothing, 1e-3)
    some = some_rows(len(y))
    beta = start
    for few in (some[: len(some) // 8], some):
        few_weights = None if weights is None else weights[few]
        if few_weights is None or few_weights.any():
            beta = _root(beta, scores[few], y[few], few_weights, smoothing, 2e-2)
    # The sample is off by a few hundredths: one step on all rows leaves less than they tell.
    return _root(beta, scores, y, weights, smoothing, 2e-2)


def some_rows(n_rows: int) -> Indices:
    """A seeded sample of many rows, all of few: where an iteration may begin."""
    if n_rows <= 2 * _SAMPLE_ROWS:
        return np.arange(n_rows)
    return np.random.default_rng(0).choice(n_rows, _SAMPLE_ROWS, replace=False)


def _root(
    beta: float,
    scores: Floats,
    y: Indices,
    weights: Floats | None,
    smoothing: float,
    tolerance: float,
) -> float:
    """Root of the slope, to the square of a tolerance that is relative."""
    low, high = 0.0, np.inf
    for _ in range(100):
        slope, curvature = _derivatives(beta, scores, y, weights, smoothing)
        if abs(slope) * beta <= _LOG_LOSS_TOLERANCE and curvature * beta**2 <= _LOG_LOSS_TOLERANCE:
            return beta
        low, high = (beta, high) if slope < 0 else (low, beta)
        moved = beta - slope / curvature if curvature > 0 else np.inf
        # Far from the root the curvature vanishes: never leap further than fourfold.
        moved = min(moved, 4 * beta + 1)
        if not low <= moved <= high:
            moved = (low + high) / 2
        # Newton squares the error: one more step would reach the square of this one.
        if abs(moved - beta) <= tolerance * max(beta, 1e-8):
            return float(moved)
        beta = moved
    return float(beta)


def _derivatives(
    beta: float, scores: Floats, y: Indices, weights: Floats | None, smoothing: float
) -> tuple[float, float]:
    """First and second derivative in beta of the mean log-loss under smoothed targets."""
    dtype: Any = np.float64 if scores.size <= _LARGEST_IN_DOUBLE else np.float32
    slopes, curvatures = np.empty(len(y)), np.empty(len(y))
    for block in row_blocks(*scores.shape):
        # Below their largest entry the scores exponentiate without overflow at any beta.
        below: Floats = scores[block].astype(dtype)
        below -= below.max(axis=1, keepdims=True)
        p = np.exp(dtype(beta) * below)
        total = p.sum(axis=1)
        p *= below
        mean = p.sum(axis=1) / total
        curvatures[block] = np.einsum("ij,ij->i", p, below) / total - mean**2
        own = below[np.arange(len(below)), y[block]]
        slopes[block] = mean - (1 - smoothing) * own - smoothing * below.mean(axis=1)
    if weights is None:
        return float(slopes.mean()), float(curvatures.mean())
    return float(np.average(slopes, weights=weights)), float(
        np.average(curvatures, weights=weights)
    )
