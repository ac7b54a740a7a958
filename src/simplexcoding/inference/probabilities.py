"""Probabilities from scores, by what least squares estimates."""

from simplexcoding.arrays import Floats
from simplexcoding.losses import LeastSquares


def regression_probabilities(scores: Floats) -> Floats:
    """Probabilities from f = sum_k p_k c_k: p = ((T-1) u + 1)/T, put back on the simplex.

    Least squares estimates that mixture of vertices. Its coordinates sum to one but may
    leave [0, 1]; the Euclidean projection fixes that and keeps the largest.

    Parameters
    ----------
    scores : (n, T) array u, rows summing to zero

    Returns
    -------
    (n, T) array, rows summing to one

    Examples
    --------
    >>> import numpy as np
    >>> regression_probabilities(np.array([[0.5, -0.25, -0.25]])).round(3)
    array([[0.667, 0.167, 0.167]])
    """
    return LeastSquares().class_probabilities(scores)
