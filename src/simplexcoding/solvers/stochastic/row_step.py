"""One step of the stream in score space: what dense blocks and sparse rows share.

This module imports Numba, so it is imported on first use.
"""

from math import sqrt

from simplexcoding.arrays import Floats
from simplexcoding.compiled import compiled
from simplexcoding.losses.loss import RowStep
from simplexcoding.solvers.stochastic.stream import Rule


@compiled(error_model="numpy", inline="always")
def running_means(means: Floats, t: int, weight: float, square: float) -> None:
    """Take the t-th row into means = (mean w, mean w ||x||^2)."""
    means[0] += (weight - means[0]) / t
    means[1] += (weight * square - means[1]) / t


@compiled(error_model="numpy", inline="always")
def share(rule: Rule, t: int) -> float:
    """Part of the average that the iterate after row t is: 0 between two that are taken in.

    The k-th taken in has the part (e + 1)/(k + e), e = rule.emphasis: the plain mean at
    e = 0, the later the heavier at e = 1.
    """
    if rule.period == 0 or t % rule.period != 0:
        return 0.0
    return (rule.emphasis + 1.0) / (t // rule.period + rule.emphasis)


@compiled(error_model="numpy", inline="always")
def step_in_scores(
    gradient: RowStep,
    rule: Rule,
    lambda_: float,
    t: int,
    weight: float,
    square: float,
    means: Floats,
    y: int,
    u: Floats,
    b: Floats,
    norm: float,
    d: Floats,
) -> tuple[float, float, float]:
    """Take one row's step on everything but the p x T weights. O(T).

    The constant column s^2 = mean w ||x||^2 / mean w counts as one more feature, so with
    kappa = T/(T-1), |x|^2 = ||x||^2 + s^2 and B^2 the mean of w |x|^2,

        eta = min(1 / (2 lambda (t+1) + reach B^2), V / (w kappa ||g||^2 |x|^2))
        U <- shrink (U + d x'),  d = -eta w kappa g / (1 - 2 lambda eta)

    and b likewise. The second bound ends a step where its linear model of the loss reaches
    zero: no input scale and no loss can make the iterates blow up. A plain rule has
    eta = 1 / (2 lambda t) and no bound. shrink is 1 - 2 lambda eta, times the projection
    on ||W||_F <= R, where ||W||_F^2 = (T-1)/T (||U||^2 + ||b||^2 / s^2) and
    R^2 = largest_pull mean w / (2 lambda). A normalised rule divides w by mean w, in both
    means too.

    Parameters
    ----------
    gradient : the loss, see `Loss.row_step`
    rule : Rule
    lambda_ : float
    t : int, the number of this row in the stream, from 1
    weight, square : float, w and ||x||^2
    means : (2,) array, see `running_means`
    y : int, the class
    u : (T,) array, U x on entry, overwritten
    b : (T,) array, the intercept, updated
    norm : float, ||U||^2
    d : (T,) array, overwritten

    Returns
    -------
    shrink, the new ||U||^2, and V before the step
    """
    n_classes = len(u)
    kappa = n_classes / (n_classes - 1.0)
    mean, length_mean = means[0], means[1]
    if rule.normalised:
        weight /= mean
        length_mean /= mean
        mean = 1.0
    column = 0.0
    if rule.intercept:
        column = length_mean / mean if length_mean > 0.0 else 1.0
    for k in range(n_classes):
        u[k] += b[k]
    value = gradient(u, y, d)
    if rule.plain:
        eta = 1.0 / (2.0 * lambda_ * t)
        # The first row would shrink to nothing what is zero as yet.
        shrink = 1.0 - 1.0 / t if t > 1 else 1.0
    else:
        slope = 0.0
        for k in range(n_classes):
            slope += d[k] * d[k]
        # t + 1, not t: no step forgets more than half of the weights.
        bound = 2.0 * lambda_ * (t + 1) + rule.reach * (length_mean + mean * column)
        steep = weight * kappa * slope * (square + column)
        eta = value / steep if value * bound < steep else 1.0 / bound
        shrink = 1.0 - 2.0 * lambda_ * eta
    factor = -eta * weight * kappa / shrink
    inner, length, tail = 0.0, 0.0, 0.0
    for k in range(n_classes):
        d[k] *= factor
        inner += d[k] * (u[k] - b[k])
        length += d[k] * d[k]
        b[k] = shrink * (b[k] + column * d[k])
        tail += b[k] * b[k]
    norm = (norm + 2.0 * inner + length * square) * shrink * shrink
    norm = norm if norm > 0.0 else 0.0
    whole = (norm + (tail / column if column > 0.0 else 0.0)) / kappa
    limit = rule.largest_pull * mean / (2.0 * lambda_)
    if rule.project and whole > limit:
        pull = sqrt(limit / whole)
        shrink *= pull
        norm *= pull * pull
        for k in range(n_classes):
            b[k] *= pull
    return shrink, norm, value
