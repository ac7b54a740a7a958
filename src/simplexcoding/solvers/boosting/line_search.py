"""The exact step along a direction: where the slope of a convex curve vanishes."""

from math import log
from typing import Protocol

from scipy.optimize import brentq

_PRECISION = 1e-13
_SHARE_OF_FIRST_TRY = 32.0  # a power of two: doubling ends at the longest step exactly


class Curve(Protocol):
    """The risk at distance a along a direction, convex in a."""

    def value(self, a: float) -> float:
        """Risk at a."""

    def slope(self, a: float) -> float:
        """Return its derivative, which never decreases."""


def exact_step(curve: Curve, longest: float) -> float:
    """Minimiser of a convex curve over [0, longest].

    The bracket doubles from a short step until the slope is no longer negative; Brent's
    method finds the root in it. (Newton's method alone stalls far from the root of a logistic
    risk.) The answer depends on the curve alone, not on the steps before it.

    Parameters
    ----------
    curve : Curve
    longest : float > 0, the answer where the risk falls all the way

    Examples
    --------
    >>> class Parabola:
    ...     def value(self, a): return (a - 3) ** 2
    ...     def slope(self, a): return 2 * (a - 3)
    >>> round(exact_step(Parabola(), longest=100.0), 6)
    3.0
    """
    if curve.slope(0.0) >= 0.0:
        return 0.0
    low, high = 0.0, longest / _SHARE_OF_FIRST_TRY
    while curve.slope(high) < 0.0:
        if high == longest:
            return longest
        low, high = high, 2 * high
    return float(brentq(curve.slope, low, high, rtol=_PRECISION, xtol=_PRECISION * high))


def vertex_step(right: float, wrong: float, n_classes: int, longest: float) -> float:
    """Exact step of the exponential loss along answers that are code vectors.

    a = (T-1)/T log(A/B), from dR/da = 0 for R(a) = A e^(-z) + B e^z + constant,
    z = a T/(2(T-1)).

    Parameters
    ----------
    right : A, the risk of the rows whose answer is their own vertex
    wrong : B, the sum over the other rows of the term of the answered class
    n_classes : T
    longest : float > 0, the answer where B is zero

    Examples
    --------
    >>> vertex_step(0.9, 0.1, n_classes=2, longest=60.0) == log(9) / 2
    True
    """
    if right <= wrong:
        return 0.0
    if wrong == 0.0:
        return longest
    return min((n_classes - 1) / n_classes * log(right / wrong), longest)
