"""Compiled sums over rows for the line searches. This module imports Numba: import it late."""

from math import exp, log1p

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.compiled import compiled


@compiled
def log_odds_along(
    odds: Floats, leaf: Indices, y: Indices, weights: Floats, leaves: Floats, a: float
) -> tuple[float, float]:
    """Value and slope at a of sum_i w_i log(1 + sum_k odds_ik e^(a (g_lk - g_ly))). O(n T)."""
    n_classes = odds.shape[1]
    raised = np.exp(a * leaves)
    value, slope = 0.0, 0.0
    for i in range(len(y)):
        factors, g = raised[leaf[i]], leaves[leaf[i]]
        total, rate = 0.0, 0.0
        for k in range(n_classes):
            term = odds[i, k] * factors[k]
            total += term
            rate += term * g[k]
        own = y[i]
        rate = (rate - total * g[own]) / factors[own]
        total /= factors[own]
        value += weights[i] * log1p(total)
        slope += weights[i] * rate / (1.0 + total)
    return value, slope


@compiled
def coordinate_terms(
    Q: Floats, others: Floats, y: Indices, leaf: Indices, coordinate: int
) -> tuple[Floats, Indices]:
    """Gather what a step along one coordinate needs of each row, divided by Q_iy.

    Only class 0 and class j+1 move against the rest along coordinate j.

    Parameters
    ----------
    Q : (n, T) array, exp(pace u) up to a factor a row
    others : (n,) array, sum of Q_ik over k != y_i

    Returns
    -------
    (n, 3) array: all wrong classes, class 0, class j+1 (zero where it is the row's own)
    (n,) array: 3 leaf + 0, 1 or 2 for a row of class 0, of class j+1, of the rest
    """
    moving = coordinate + 1
    terms = np.zeros((len(y), 3))
    key = np.empty(len(y), dtype=np.intp)
    for i in range(len(y)):
        own = Q[i, y[i]]
        terms[i, 0] = others[i] / own
        key[i] = 3 * leaf[i] + 2
        if y[i] == 0:
            key[i] -= 2
        else:
            terms[i, 1] = Q[i, 0] / own
        if y[i] == moving:
            key[i] -= 1
        else:
            terms[i, 2] = Q[i, moving] / own
    return terms, key


@compiled
def sums_by_key(terms: Floats, key: Indices, weights: Floats, keys: int) -> Floats:
    """Add weighted terms up by key, (keys, 3)."""
    sums = np.zeros((keys, 3))
    for i in range(len(key)):
        for c in range(3):
            sums[key[i], c] += weights[i] * terms[i, c]
    return sums


@compiled
def _factors(rates: Floats, a: float) -> tuple[Floats, Floats]:
    """Factors and their rates at a for each key: class 0, class j+1, the row's own class."""
    keys = 3 * len(rates)
    factors = np.ones((keys, 3))
    speeds = np.zeros((keys, 3))
    for key in range(keys):
        leaf, group = key // 3, key % 3
        for c in range(2):
            factors[key, c] = exp(a * rates[leaf, c])
            speeds[key, c] = rates[leaf, c]
        if group < 2:
            factors[key, 2] = 1.0 / factors[key, group]
            speeds[key, 2] = rates[leaf, group]
    return factors, speeds


@compiled
def terms_value(
    terms: Floats, key: Indices, weights: Floats, rates: Floats, a: float, logarithm: bool
) -> float:
    """sum_i w_i x_i(a), or sum_i w_i log(1 + x_i(a)).

    x(a) = (t_0 + t_1 (A - 1) + t_2 (B - 1)) / own, with A = e^(a rates_l0) the factor of
    class 0, B = e^(a rates_l1) that of class j+1, and own = A, B or 1 by the row's class.
    """
    factors, _ = _factors(rates, a)
    value = 0.0
    for i in range(len(key)):
        f = factors[key[i]]
        x = terms[i, 0] + terms[i, 1] * (f[0] - 1.0) + terms[i, 2] * (f[1] - 1.0)
        # Rounding in the running sums may leave x just below zero.
        x = max(x * f[2], 0.0)
        value += weights[i] * (log1p(x) if logarithm else x)
    return value


@compiled
def terms_slope(
    terms: Floats, key: Indices, weights: Floats, rates: Floats, a: float, logarithm: bool
) -> float:
    """Return the derivative of `terms_value` in a."""
    factors, speeds = _factors(rates, a)
    slope = 0.0
    for i in range(len(key)):
        f, s = factors[key[i]], speeds[key[i]]
        x = (terms[i, 0] + terms[i, 1] * (f[0] - 1.0) + terms[i, 2] * (f[1] - 1.0)) * f[2]
        rate = (terms[i, 1] * s[0] * f[0] + terms[i, 2] * s[1] * f[1]) * f[2] - x * s[2]
        slope += weights[i] * (rate / (1.0 + max(x, 0.0)) if logarithm else rate)
    return slope


@compiled
def move(
    Q: Floats, others: Floats, y: Indices, leaf: Indices, coordinate: int, steps: Floats
) -> None:
    """Multiply class 0 and class j+1 of each row by e^steps of its leaf, in place. O(n).

    steps : (L, 2) array
    """
    moving = coordinate + 1
    gains = np.expm1(steps)
    for i in range(len(y)):
        first = Q[i, 0] * gains[leaf[i], 0]
        own = Q[i, moving] * gains[leaf[i], 1]
        Q[i, 0] += first
        Q[i, moving] += own
        if y[i] != 0:
            others[i] += first
        if y[i] != moving:
            others[i] += own


@compiled
def multiply_terms(table: Floats, leaf: Indices, y: Indices, factors: Floats) -> None:
    """Multiply the wrong classes' gradients of each row by factors_(leaf, y), in place. O(n T).

    The own class's gradient, which is also the row's weight in column T, keeps the sum zero.
    """
    n_classes = factors.shape[1]
    for i in range(len(y)):
        row, by = table[i], factors[leaf[i], y[i]]
        row[y[i]] = 0.0
        for k in range(n_classes):
            row[k] *= by[k]
        total = 0.0
        for k in range(n_classes):
            total += row[k]
        row[y[i]] = -total
        row[n_classes] = -total
