"""One temperature for a softmax of scores, fitted to left-out rows."""

import numpy as np
from scipy.special import logsumexp

from simplexcoding.arrays import Floats, Indices

_LARGEST = 1e6


def log_loss(scores: Floats, y: Indices, weights: Floats | None = None) -> float:
    """Mean of logsumexp(scores) - own score."""
    own = scores[np.arange(len(y)), y]
    return float(np.average(logsumexp(scores, axis=1) - own, weights=weights))


def fit_temperature(scores: Floats, y: Indices, weights: Floats | None = None) -> float:
    """Inverse temperature beta >= 0 that minimises the log-loss of softmax(beta scores).

    The loss is convex in beta; a bracketed Newton method finds its root, O(n T) a step.
    Rows that are all right, with a margin, would let beta grow for ever: it stops at 1e6.
    """
    own = scores[np.arange(len(y)), y]
    # Below their largest entry the scores exponentiate without overflow at any beta.
    below = scores - scores.max(axis=1, keepdims=True)
    low, high, beta = 0.0, _LARGEST, 1.0
    for _ in range(100):
        p = np.exp(beta * below)
        p /= p.sum(axis=1, keepdims=True)
        mean = np.einsum("ij,ij->i", p, scores)
        slope = np.average(mean - own, weights=weights)
        square = np.einsum("ij,ij,ij->i", p, scores, scores) - mean**2
        curvature = np.average(square, weights=weights)
        low, high = (beta, high) if slope < 0 else (low, beta)
        moved = beta - slope / curvature if curvature > 0 else np.inf
        # Far from the root the curvature vanishes: never leap further than fourfold.
        moved = min(moved, 4 * beta + 1)
        if not low <= moved <= high:
            moved = (low + high) / 2
        # Newton squares the error: one more step would reach 1e-10.
        if abs(moved - beta) <= 1e-5 * max(beta, 1e-8):
            return float(moved)
        beta = moved
    return float(beta)
