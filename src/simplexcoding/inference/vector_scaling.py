"""A scale and an offset for each class, fitted to left-out scores."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.inference.temperature import fit_temperature, some_rows

_MAX_ITER = 30
# Newton's decrement, in units of log-likelihood of all rows, below which nothing is gained.
_DECREMENT = 0.1
# Scores beyond which the passes over rows run in single precision.
_LARGE = 2e5


@dataclass
class Trail:
    """Where fits to scores that change little have come to: the next begins there.

    theta is that of the last fit; the inverse of the Hessian serves as many rows.
    """

    theta: Floats | None = None
    inverse: Floats | None = None
    n_rows: int = 0

    def inverse_for(self, n_rows: int) -> Floats | None:
        """The last inverse, if it was of as many rows."""
        return self.inverse if n_rows == self.n_rows else None


def fit_vector_scaling(
    scores: Floats, y: Indices, weights: Floats | None = None, trail: Trail | None = None
) -> tuple[Floats, Floats]:
    """Scales a and offsets b, (T,) each, of softmax(a u + b).

    Minimises sum_i w_i (logsumexp(a u_i + b) - (a u_i + b)_(y_i)) + 1/2 ||a/beta - 1||^2
    + 1/2 ||b||^2 by a damped Newton method, beta the one inverse temperature that fits
    best: a prior of unit width around it, which few rows of a class do not outweigh.
    O(n T^2) a step.

    Parameters
    ----------
    scores : (n, T) array
    y : (n,) array of class indices
    weights : (n,) array, or None for ones
    trail : of fits to similar scores, which is followed and led on; or None

    Returns
    -------
    (T,) array of scales, (T,) array of offsets
    """
    trail = Trail() if trail is None else trail
    n_classes = scores.shape[1]
    some = some_rows(len(y))
    few = None if weights is None else weights[some]
    beta = max(fit_temperature(scores[some], y[some], few), 1e-3)
    # In units of beta all parameters are of size one.
    unit = beta * scores
    if unit.size > _LARGE:
        # A decrement of 0.1 in sums of many terms does not need sixteen digits.
        unit = unit.astype(np.float32)
    counts = np.ones(len(y)) if weights is None else weights
    theta = trail.theta
    if theta is None:
        theta = np.r_[np.ones(n_classes), np.zeros(n_classes)]
        if len(some) < len(y):
            # Some of the rows come near the answer at a fraction of the cost.
            theta, _ = _minimise(theta, unit[some], y[some], counts[some], None)
    theta, trail.inverse = _minimise(theta, unit, y, counts, trail.inverse_for(len(y)))
    trail.theta, trail.n_rows = theta, len(y)
    return beta * theta[:n_classes], theta[n_classes:]


def _minimise(
    theta: Floats, unit: Floats, y: Indices, counts: Floats, inverse: Floats | None
) -> tuple[Floats, Floats | None]:
    """Damped Newton steps; a Hessian serves while the decrement falls by a third a step."""
    n_classes = unit.shape[1]
    centre = np.r_[np.ones(n_classes), np.zeros(n_classes)]
    objective, p = _objective(theta, unit, y, counts, centre)
    last = np.inf
    for _ in range(_MAX_ITER):
        gradient, stacked = _gradient(theta, unit, y, counts, centre, p)
        if inverse is None or gradient @ inverse @ gradient > last / 1.5:
            # By numpy, as the products are: scipy's BLAS has threads of its own.
            inverse = np.linalg.inv(_hessian(stacked, unit, counts).astype(unit.dtype))
        direction = -(inverse @ gradient)
        last = -float(gradient @ direction)
        if last < 2 * _DECREMENT:
            break
        step = 1.0
        while True:
            trial = theta + step * direction
            value, trial_p = _objective(trial, unit, y, counts, centre)
            if value <= objective - 1e-4 * step * last or step < 1e-8:
                break
            step /= 2
        theta, objective, p = trial, value, trial_p
    return theta, inverse


def _objective(
    theta: Floats, unit: Floats, y: Indices, counts: Floats, centre: Floats
) -> tuple[float, Floats]:
    """Value and class probabilities (n, T)."""
    n_classes = unit.shape[1]
    logits = unit * theta[:n_classes].astype(unit.dtype)
    logits += theta[n_classes:].astype(unit.dtype)
    own = logits[np.arange(len(y)), y]
    largest = logits.max(axis=1)
    logits -= largest[:, None]
    p = np.exp(logits, out=logits)
    total = p.sum(axis=1)
    p /= total[:, None]
    away = theta - centre
    return float(counts @ (largest + np.log(total) - own) + away @ away / 2), p


def _gradient(
    theta: Floats, unit: Floats, y: Indices, counts: Floats, centre: Floats, p: Floats
) -> tuple[Floats, Floats]:
    """Gradient (2T,), and the rows [p u, p] (n, 2T) that the Hessian is made of."""
    n_classes = unit.shape[1]
    stacked = np.empty((len(y), 2 * n_classes), dtype=unit.dtype)
    np.multiply(p, unit, out=stacked[:, :n_classes])
    stacked[:, n_classes:] = p
    own = np.bincount(y, counts, minlength=n_classes)
    pulled = np.bincount(y, counts * unit[np.arange(len(y)), y], minlength=n_classes)
    sums = counts.astype(unit.dtype) @ stacked
    return sums - np.r_[pulled, own] + theta - centre, stacked


def _hessian(stacked: Floats, unit: Floats, counts: Floats) -> Floats:
    """I + sum over rows of D'(diag(p) - p p')D with D = [diag(u), I], (2T, 2T)."""
    n_classes = unit.shape[1]
    weights = counts.astype(unit.dtype)
    sums = weights @ stacked
    bend = weights @ (stacked[:, :n_classes] * unit)
    stacked *= np.sqrt(weights)[:, None]
    hessian = -(stacked.T @ stacked).astype(np.float64)
    k = np.arange(n_classes)
    hessian[k, k] += bend
    hessian[k, k + n_classes] += sums[:n_classes]
    hessian[k + n_classes, k] += sums[:n_classes]
    hessian[k + n_classes, k + n_classes] += sums[n_classes:]
    hessian[np.diag_indices(2 * n_classes)] += 1.0
    return hessian
