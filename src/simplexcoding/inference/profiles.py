"""Classes by the profile of their left-out scores: what the largest score alone cannot tell."""

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import softmax

from simplexcoding.arrays import Floats, Indices
from simplexcoding.inference.temperature import fit_temperature

_SHRINKAGE = 0.5
_TINY = 1e-100


def profile_scores(left_out: Floats, y: Indices) -> Floats:
    """Log-odds of each class, up to a constant of the row, by discriminant analysis.

    Rows given class k have left-out scores of mean m_k, the profile of the class, and
    pooled covariance S, drawn half-way to (trace S/T) I:

        g_k = -(u - m_k)' S^-1 (u - m_k)/2 + log(n_k/n)

    The row itself is left out of the profile of its own class. Least squares can leave a
    class that lies between others with no largest score anywhere; its profile still shows
    (Hastie, Tibshirani and Buja, Flexible discriminant analysis by optimal scoring, JASA
    89, 1994). O(n T^2).

    Parameters
    ----------
    left_out : (n, T) array
    y : (n,) array of class indices

    Returns
    -------
    (n, T) array
    """
    n_rows, n_classes = left_out.shape
    rows, sizes = np.arange(n_rows), np.bincount(y, minlength=n_classes)
    sums = np.zeros((n_classes, n_classes))
    np.add.at(sums, y, left_out)
    profiles = sums / np.maximum(sizes, 1)[:, None]
    within = left_out - profiles[y]
    covariance = within.T @ within / n_rows
    # Scores sum to zero, so S is singular along ones, where no two profiles differ.
    level = max(np.trace(covariance) / n_classes, 1e-9 * np.mean(left_out**2), _TINY)
    covariance *= 1 - _SHRINKAGE
    covariance.flat[:: n_classes + 1] += _SHRINKAGE * level
    factor = cho_factor(covariance)
    directions = cho_solve(factor, profiles.T)
    squares = np.einsum("ij,ij->i", left_out, cho_solve(factor, left_out.T).T)
    distances = squares[:, None] - 2 * left_out @ directions
    distances += np.einsum("kj,jk->k", profiles, directions)
    # Without row i the mean of its class is further from it by n_k/(n_k - 1). A row alone in
    # its class has no profile to go by: it is measured from the mean of all rows.
    lonely = sizes[y] == 1
    distances[rows, y] *= (sizes / np.maximum(sizes - 1, 1))[y] ** 2
    away = left_out[lonely] - left_out.mean(axis=0)
    distances[rows[lonely], y[lonely]] = np.einsum("ij,ji->i", away, cho_solve(factor, away.T))
    # A class without rows counts as half a row.
    return -distances / 2 + np.log(np.maximum(sizes, 0.5) / n_rows)


def audit_probabilities(left_out: Floats, y: Indices) -> Floats:
    """Mean of two probabilities, (n, T): by the scores themselves and by their profiles.

    Both are softmax functions with the temperature of least log-loss. They err on
    different rows, and a wrong label stays improbable to both.

    Examples
    --------
    >>> import numpy as np
    >>> left_out = np.array([[2.0, -2], [1.5, -1.5], [1, -1], [-1, 1], [-2, 2]])
    >>> audit_probabilities(left_out, np.array([0, 0, 1, 1, 1])).argmax(axis=1)
    array([0, 0, 0, 1, 1])
    """
    left_out = left_out.astype(np.float64, copy=False)
    profiles = profile_scores(left_out, y)
    by_score = softmax(fit_temperature(left_out, y) * left_out, axis=1)
    by_profile = softmax(fit_temperature(profiles, y) * profiles, axis=1)
    return (by_score + by_profile) / 2
