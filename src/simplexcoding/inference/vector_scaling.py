"""A scale and an offset for each class, fitted to left-out scores."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Floats, Indices, row_blocks
from simplexcoding.inference.temperature import fit_temperature, row_count, some_rows
from simplexcoding.rows import row_weights

_MAX_ITER = 30
# Log-likelihood of all rows, for each parameter, that is not worth a step.
_LIKELIHOOD_TOLERANCE = 1e-4
# Residual, relative to the gradient, at which conjugate gradients stop.
_RESIDUAL_TOLERANCE = 0.03
# Scores beyond which the passes over rows run in single precision.
_LARGEST_IN_DOUBLE = 3e4


@dataclass
class WarmFits:
    """Where fits to scores that change little have come to: the next begins there.

    Parameters
    ----------
    beta : float, default=1.0, of one temperature
    theta : array, default=None, scales and offsets
    """

    beta: float = 1.0
    theta: Floats | None = None


def fit_vector_scaling(
    scores: Floats, y: Indices, weights: Floats | None = None, trail: WarmFits | None = None
) -> tuple[Floats, Floats]:
    """Scales a and offsets b, (T,) each, of softmax(a u + b).

    Minimises sum_i w_i (logsumexp(a u_i + b) - (a u_i + b)_(y_i)) + 1/2 ||a/beta - 1||^2
    + 1/2 ||b||^2 by a damped Newton method, beta the one inverse temperature that fits
    best: a prior of unit width around it, which few rows of a class do not outweigh. Where
    the rows are separated beta is bounded by its own prior, and the scales with it.
    Its steps are found by conjugate gradients, O(n T) each.

    Parameters
    ----------
    scores : (n, T) array
    y : (n,) array of class indices
    weights : (n,) array, default=None
        None for ones. Scaled to sum to the number of rows that they stand for.
    trail : WarmFits, default=None
        Of fits to similar scores, which is followed and led on.

    Returns
    -------
    (T,) array of scales, (T,) array of offsets
    """
    fitted = _fit(scores, y, weights, trail)
    a, b = fitted.theta.reshape(2, -1)
    return fitted.beta * a, b


def left_out_logits(
    scores: Floats, y: Indices, weights: Floats | None = None, trail: WarmFits | None = None
) -> Floats:
    """Logits a u + b of every row by the scales and offsets fitted without it, to first order.

    A row pulls at the parameters of class k by r_k (u_k, 1), r_k = w (p_k - 1[k = y]). With B_k
    the block of the class in the Hessian and q_k = (u_k, 1) B_k^-1 (u_k, 1)', its logit
    without it is

        a_k u_k + b_k + q_k r_k / (1 - q_k w p_k (1 - p_k))

    Decisions that the rows themselves have calibrated flatter it, the more the fewer rows a
    class has.

    Parameters
    ----------
    scores, y, weights, trail : as in `fit_vector_scaling`

    Returns
    -------
    (n, T) array
    """
    fitted = _fit(scores, y, weights, trail)
    unit, p = fitted.unit, fitted.hessian.p
    counts = fitted.hessian.weights[:, None]
    bend, cross, mass = fitted.hessian.blocks.astype(unit.dtype)
    a, b = fitted.theta.astype(unit.dtype).reshape(2, -1)
    leverage = (mass * unit**2 - 2 * cross * unit + bend) / (bend * mass - cross**2) * counts
    pull = p.copy()
    pull[np.arange(len(y)), y] -= 1
    return unit * a + b + leverage * pull / (1 - leverage * p * (1 - p))


class _Fit(NamedTuple):
    """Parameters in units of beta, the scores in these units, and the Hessian there."""

    beta: float
    theta: Floats
    unit: Floats
    hessian: "Hessian"


def _fit(scores: Floats, y: Indices, weights: Floats | None, trail: WarmFits | None) -> _Fit:
    trail = WarmFits() if trail is None else trail
    n_classes = scores.shape[1]
    some = some_rows(len(y))
    few = None if weights is None else weights[some]
    trail.beta = max(fit_temperature(scores[some], y[some], few, trail.beta), 1e-3)
    # In units of beta all parameters are of size one; to fit them to within noise takes no
    # sixteen digits.
    dtype = np.float32 if scores.size > _LARGEST_IN_DOUBLE else np.float64
    unit = np.multiply(scores, trail.beta, dtype=dtype, casting="same_kind")
    counts = row_weights(weights, len(y))
    counts = counts * (row_count(len(y), weights) / counts.sum())
    theta = trail.theta
    if theta is None:
        theta = np.r_[np.ones(n_classes), np.zeros(n_classes)]
        if len(some) < len(y):
            # Some of the rows come near the answer at a fraction of the cost.
            theta, _ = _minimise(theta, unit[some], y[some], counts[some])
    trail.theta, hessian = _minimise(theta, unit, y, counts)
    return _Fit(trail.beta, trail.theta, unit, hessian)


def _minimise(theta: Floats, unit: Floats, y: Indices, counts: Floats) -> tuple[Floats, "Hessian"]:
    """Damped Newton steps; where they end, and the Hessian there."""
    n_classes = unit.shape[1]
    centre = np.r_[np.ones(n_classes), np.zeros(n_classes)]
    own = counts * unit[np.arange(len(y)), y]
    given = np.r_[np.bincount(y, own, n_classes), np.bincount(y, counts, n_classes)]
    objective, hessian = _evaluate(theta, unit, y, counts)
    objective += _prior(theta - centre)
    for _ in range(_MAX_ITER):
        gradient = hessian.expected - given + theta - centre
        direction = -hessian.solve(gradient)
        decrement = -float(gradient @ direction)
        if decrement < 2 * _LIKELIHOOD_TOLERANCE * len(theta):
            break
        step = 1.0
        while True:
            trial = theta + step * direction
            value, hessian = _evaluate(trial, unit, y, counts)
            value += _prior(trial - centre)
            if value <= objective - 1e-4 * step * decrement or step < 1e-8:
                break
            step /= 2
        theta, objective = trial, value
    return theta, hessian


def _prior(away: Floats) -> float:
    return float(away @ away) / 2


def _evaluate(theta: Floats, unit: Floats, y: Indices, counts: Floats) -> tuple[float, "Hessian"]:
    """Minus the log-likelihood and its Hessian, in one pass over the rows."""
    a, b = theta.astype(unit.dtype).reshape(2, -1)
    weights = counts.astype(unit.dtype)
    p, pulls = np.empty_like(unit), np.empty_like(unit)
    sums, squares = np.zeros((3, len(a))), np.zeros((3, len(a)))
    value = 0.0
    for block in row_blocks(*unit.shape):
        u, q, r, w = unit[block], p[block], pulls[block], weights[block]
        np.multiply(u, a, out=q)
        q += b
        own = q[np.arange(len(q)), y[block]]
        largest = q.max(axis=1)
        q -= largest[:, None]
        np.exp(q, out=q)
        total = q.sum(axis=1)
        q /= total[:, None]
        value += float(counts[block] @ (largest + np.log(total) - own))
        np.multiply(q, u, out=r)
        sums += [w @ (r * u), w @ r, w @ q]
        squares += [w @ (r * r), w @ (r * q), w @ (q * q)]
    return value, Hessian(pulls, p, weights, sums, squares)


@dataclass(frozen=True)
class Hessian:
    """I + sum over rows of w D'(diag(p) - p p')D with D = [diag(u), I], (2T, 2T), unformed.

    Parameters
    ----------
    pulls, p : (n, T) arrays, p u and p
    weights : (n,) array
    sums : (3, T) array, sums over rows of w p u^2, w p u and w p
    squares : (3, T) array, sums over rows of w p^2 u^2, w p^2 u and w p^2
    """

    pulls: Floats
    p: Floats
    weights: Floats
    sums: Floats
    squares: Floats

    @property
    def expected(self) -> Floats:
        """Sums over rows of w p u and of w p, (2T,)."""
        return self.sums[1:].ravel()

    @property
    def blocks(self) -> Floats:
        """Entries aa, ab and bb of the (2, 2) block of each class, (3, T)."""
        return self.sums - self.squares + np.array([[1.0], [0.0], [1.0]])

    def solve(self, gradient: Floats) -> Floats:
        """H^-1 gradient to a few digits: conjugate gradients, with the block of each class."""
        bend, cross, mass = self.blocks
        determinant = bend * mass - cross**2

        def by_class(v: Floats) -> Floats:
            a, b = v.reshape(2, -1)
            return np.concatenate([mass * a - cross * b, bend * b - cross * a] / determinant)

        x, residual = np.zeros_like(gradient), gradient
        direction = scaled = by_class(residual)
        norm = first = float(residual @ scaled)
        for _ in range(len(gradient)):
            if norm <= max(_RESIDUAL_TOLERANCE**2 * first, 0.1 * _LIKELIHOOD_TOLERANCE * len(x)):
                break
            image = self.apply(direction)
            length = norm / float(direction @ image)
            x = x + length * direction
            residual = residual - length * image
            scaled = by_class(residual)
            previous, norm = norm, float(residual @ scaled)
            direction = scaled + norm / previous * direction
        return x

    def apply(self, v: Floats) -> Floats:
        """H v."""
        a, b = v.reshape(2, -1)
        bend, cross, mass = self.sums
        small_a, small_b = v.astype(self.p.dtype).reshape(2, -1)
        mean = self.weights * (self.pulls @ small_a + self.p @ small_b)
        shared = np.concatenate([mean @ self.pulls, mean @ self.p])
        return v + np.concatenate([bend * a + cross * b, cross * a + mass * b]) - shared
