"""Compiled one-dimensional roots, one per row: what a prox needs beyond array arithmetic.

This module imports Numba, so the losses import it on first use. Every function keeps a
bracket around its root: a Newton step that leaves it, or a bracket that does not shrink,
gives way to bisection. Arithmetic is float64 whatever the dtype of the rows.
"""

from math import exp, log

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled

_MAX_ITER = 1000
_EPS = 4 * np.finfo(np.float64).eps


# Sums may be taken in any order: that lets them run in vector registers.
@compiled(fastmath={"reassoc", "contract"})
def box_weights(lines: Floats, slope: float, box: Floats) -> Floats:
    """Weights w = clip(lines + slope * sum(w), 0, box) of each row.

    F(t) = t - sum_k clip(lines_k + slope t, 0, box) increases for slope in [-1, 1/T], so
    its root t = sum(w) is unique. A Newton step is exact once it lands on the root's
    linear piece. O(T) per iteration and row.

    Parameters
    ----------
    lines : (n, T) array; -inf takes an entry out: its weight is zero
    slope : float
    box : (n,) array of bounds >= 0

    Returns
    -------
    (n, T) array of the dtype of lines
    """
    n, n_classes = lines.shape
    weights = np.empty_like(lines)
    for i in range(n):
        bound = float(box[i])
        t, low, high = 0.0, 0.0, n_classes * bound
        for iteration in range(_MAX_ITER):
            total, rising = 0.0, 0
            for k in range(n_classes):
                w = lines[i, k] + slope * t
                # Without branches: no processor could predict them.
                total += min(max(w, 0.0), bound)
                rising += (w > 0.0) & (w < bound)
            excess = t - total
            if excess < 0.0:
                low = t
            elif excess > 0.0:
                high = t
            else:
                break
            moved = t - excess / (1.0 - slope * rising)
            if abs(moved - t) <= _EPS * abs(moved):
                t = moved
                break
            # Every eighth step halves the bracket: a Newton cycle cannot last.
            if not low <= moved <= high or iteration % 8 == 7:
                moved = 0.5 * (low + high)
            t = moved
        for k in range(n_classes):
            weights[i, k] = min(max(lines[i, k] + slope * t, 0.0), bound)
    return weights


@compiled
def wright_omega(x: float) -> float:
    """Wright's omega function: the w > 0 with w + log w = x.

    Two steps of the fourth-order iteration of Fritsch, Shafer and Crowley (1973) on
    the residual x - w - log w.
    """
    if x < -40.0:
        return exp(x)  # w = exp(x - w), and w is below rounding here.
    w = exp(x) / (1.0 + exp(x)) if x < 1.0 else x - log(x) * x / (1.0 + x)
    for _ in range(3):
        r = x - w - log(w)
        base = 2.0 * (1.0 + w) * (1.0 + w + 2.0 * r / 3.0)
        w *= 1.0 + r / (1.0 + w) * (base - r) / (base - 2.0 * r)
    return w


@compiled
def exponential_weights(S: Floats, y: Indices, step: Floats) -> Floats:
    """Weights w_k = omega((S_k - t)/2 + log(step/4)), w_y = 0, where t = S_y + 2 sum(w).

    t - S_y - 2 sum(w) is concave and increasing in t: Newton from the left is monotone.
    """
    n, n_classes = S.shape
    weights = np.zeros((n, n_classes))
    for i in range(n):
        if step[i] == 0.0:
            continue
        shift = log(step[i] / 4.0)
        start = float(S[i, y[i]])
        t, low, high = start, start, np.inf
        for _ in range(_MAX_ITER):
            total, rate = 0.0, 0.0
            for k in range(n_classes):
                if k != y[i]:
                    w = wright_omega(0.5 * (S[i, k] - t) + shift)
                    weights[i, k] = w
                    total += w
                    rate += w / (1.0 + w)
            excess = t - start - 2.0 * total
            if excess < 0.0:
                low = t
            elif excess > 0.0:
                high = t
            else:
                break
            moved = t - excess / (1.0 + rate)
            if not low <= moved <= high:
                moved = 0.5 * (low + high)
            if abs(moved - t) <= _EPS * (abs(moved) + total):
                break
            t = moved
    return weights


@compiled
def logistic_weights(S: Floats, y: Indices, step: Floats) -> Floats:
    """Return step * p, p the softmax at the prox point: p solves p = softmax(S + step (e_y - p)).

    With z = S + step e_y and l the log-normaliser, step p_k = omega(z_k - l + log step), and
    l is where log(sum p) = 0: decreasing in l, between logsumexp(z) - step and logsumexp(z).
    """
    n, n_classes = S.shape
    weights = np.zeros((n, n_classes))
    z = np.empty(n_classes)
    for i in range(n):
        if step[i] == 0.0:
            continue
        for k in range(n_classes):
            z[k] = S[i, k]
        z[y[i]] += step[i]
        largest = z.max()
        total = 0.0
        for k in range(n_classes):
            z[k] -= largest
            total += exp(z[k])
        shift = log(step[i])
        high = log(total)
        low = high - step[i]
        level, nearest = high, np.inf
        for _ in range(_MAX_ITER):
            total, rate = 0.0, 0.0
            for k in range(n_classes):
                w = wright_omega(z[k] - level + shift)
                weights[i, k] = w
                total += w
                rate += w / (1.0 + w)
            excess = log(total / step[i])
            # This near, an error that does not fall is rounding: Newton would wander.
            if abs(excess) <= 1e-10 and abs(excess) >= nearest:
                break
            nearest = abs(excess)
            if excess > 0.0:
                low = level
            else:
                high = level
            moved = level + excess * total / rate
            if not low <= moved <= high:
                moved = 0.5 * (low + high)
            level = moved
    return weights
