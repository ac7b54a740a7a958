"""Compiled losses, one row at a time: the value and a subgradient together.

This module imports Numba, so it is imported on first use. The objects of
`simplexcoding.losses` are the definition; a test holds every function here to them.
"""

from math import exp, log, sqrt

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.compiled import compiled

# Names of the catalogue as numbers, for compiled code. "half_space" is the one without the hull.
CODES = {
    "least_squares": 0,
    "cone": 1,
    "half_space": 2,
    "relative": 3,
    "vertex": 4,
    "exponential": 5,
    "logistic": 6,
}


@compiled
def row_gradient(code: int, u: Floats, y: int, g: Floats) -> float:
    """V(u, y), with a subgradient of V(., y) written into g. O(T).

    Parameters
    ----------
    code : int, a value of CODES
    u : (T,) array of scores
    y : int, the class
    g : (T,) array, overwritten

    Returns
    -------
    float
    """
    if code == 0:
        return _least_squares(u, y, g)
    if code == 1:
        return _cone(u, y, g)
    if code == 2:
        return _half_space(u, y, g)
    if code == 3:
        return _relative(u, y, g)
    if code == 4:
        return _vertex(u, y, g)
    if code == 5:
        return _exponential(u, y, g)
    return _logistic(u, y, g)


@compiled
def _from_vertex(u: Floats, y: int, g: Floats) -> float:
    """Write u - G_y into g and return its squared length."""
    n_classes = len(u)
    for k in range(n_classes):
        g[k] = u[k] + 1.0 / (n_classes - 1)
    g[y] = u[y] - 1.0
    square = 0.0
    for k in range(n_classes):
        square += g[k] * g[k]
    return square


@compiled
def _least_squares(u: Floats, y: int, g: Floats) -> float:
    ratio = (len(u) - 1) / len(u)
    square = _from_vertex(u, y, g)
    for k in range(len(u)):
        g[k] *= 2.0 * ratio
    return ratio * square


@compiled
def _cone(u: Floats, y: int, g: Floats) -> float:
    n_classes = len(u)
    edge = -1.0 / (n_classes - 1)
    value, active = 0.0, 0
    for k in range(n_classes):
        over = u[k] - edge
        hit = over > 0.0 and k != y
        value += over if hit else 0.0
        active += 1 if hit else 0
        g[k] = 1.0 if hit else 0.0
    for k in range(n_classes):
        g[k] -= active / n_classes
    return value


@compiled
def _half_space(u: Floats, y: int, g: Floats) -> float:
    active = 1.0 if u[y] < 1.0 else 0.0
    for k in range(len(u)):
        g[k] = active / len(u)
    g[y] -= active
    return active * (1.0 - u[y])


@compiled
def _relative(u: Floats, y: int, g: Floats) -> float:
    n_classes = len(u)
    scale = sqrt((n_classes - 1) / (2.0 * n_classes))
    edge = u[y] - n_classes / (n_classes - 1.0)
    value, active = 0.0, 0
    for k in range(n_classes):
        over = u[k] - edge
        hit = over > 0.0 and k != y
        value += over if hit else 0.0
        active += 1 if hit else 0
        g[k] = scale if hit else 0.0
    g[y] = -scale * active
    return scale * value


@compiled
def _vertex(u: Floats, y: int, g: Floats) -> float:
    n_classes = len(u)
    scale = sqrt((n_classes - 1.0) / n_classes)
    length = sqrt(_from_vertex(u, y, g))
    dead_zone = 0.5 if n_classes == 2 else sqrt(n_classes / (2.0 * (n_classes - 1)))
    excess = scale * length - dead_zone
    slope = scale / length if excess > 0.0 else 0.0
    for k in range(n_classes):
        g[k] *= slope
    return max(excess, 0.0)


@compiled
def _exponential(u: Floats, y: int, g: Floats) -> float:
    n_classes = len(u)
    largest = log(np.finfo(np.float64).max / (2 * n_classes))
    total = 0.0
    for k in range(n_classes):
        g[k] = 0.0 if k == y else 0.5 * exp(min(0.5 * (u[k] - u[y]), largest))
        total += g[k]
    g[y] = -total
    return 2.0 * total


@compiled
def _logistic(u: Floats, y: int, g: Floats) -> float:
    n_classes = len(u)
    largest = u[0]
    for k in range(n_classes):
        largest = max(largest, u[k])
    total, rest = 0.0, 0.0
    for k in range(n_classes):
        g[k] = exp(u[k] - largest)
        total += g[k]
    g[y] = 0.0
    for k in range(n_classes):
        g[k] /= total
        rest += g[k]
    g[y] = -rest
    return log(total) + largest - u[y]
