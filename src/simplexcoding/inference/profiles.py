"""Classes by the profile of their left-out scores: what the largest score alone cannot tell."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import softmax

from simplexcoding.arrays import Floats, Indices, row_blocks
from simplexcoding.inference.temperature import fit_temperature

_SHRINKAGE = 0.5
_TINY = 1e-100


@dataclass(frozen=True)
class Profiles:
    """The left-out scores that the rows of each class have, and how far they spread.

    Rows given class k have left-out scores of mean m_k, the profile of the class, and
    pooled covariance S, drawn half-way to (trace S/T) I.

    Parameters
    ----------
    means : (T, T) array, m_k in row k
    sizes : (T,) array, rows of each class
    centre : (T,) array, mean of all rows
    factor : Cholesky factor of the covariance
    """

    means: Floats
    sizes: Indices
    centre: Floats
    factor: Any

    @classmethod
    def of(cls, left_out: Any, y: Indices) -> "Profiles":
        """Profiles of rows, read twice and some at a time: of anything with a shape and slices."""
        n_rows, n_classes = left_out.shape
        sizes = np.bincount(y, minlength=n_classes)
        sums, covariance = np.zeros((n_classes,) * 2), np.zeros((n_classes,) * 2)
        squares = 0.0
        for rows in row_blocks(n_rows, n_classes):
            block = left_out[rows]
            np.add.at(sums, y[rows], block)
            squares += float(np.vdot(block, block))
        means = sums / np.maximum(sizes, 1)[:, None]
        for rows in row_blocks(n_rows, n_classes):
            within = left_out[rows] - means[y[rows]]
            covariance += within.T @ within
        covariance /= n_rows
        # Scores sum to zero, so S is singular along ones, where no two profiles differ.
        level = max(np.trace(covariance) / n_classes, 1e-9 * squares / (n_rows * n_classes), _TINY)
        covariance *= 1 - _SHRINKAGE
        covariance.flat[:: n_classes + 1] += _SHRINKAGE * level
        return cls(means, sizes, sums.sum(axis=0) / n_rows, cho_factor(covariance))

    def scores(self, left_out: Floats, y: Indices) -> Floats:
        """Log-odds (b, T) of the classes of some of the rows, up to a constant of each row."""
        rows, sizes, factor = np.arange(len(y)), self.sizes, self.factor
        directions = cho_solve(factor, self.means.T)
        squares = np.einsum("ij,ij->i", left_out, cho_solve(factor, left_out.T).T)
        distances = squares[:, None] - 2 * left_out @ directions
        distances += np.einsum("kj,jk->k", self.means, directions)
        # Without row i the mean of its class is further from it by n_k/(n_k - 1). A row alone in
        # its class has no profile to go by: it is measured from the mean of all rows.
        alone = sizes[y] == 1
        distances[rows, y] *= (sizes / np.maximum(sizes - 1, 1))[y] ** 2
        away = left_out[alone] - self.centre
        distances[rows[alone], y[alone]] = np.einsum("ij,ji->i", away, cho_solve(factor, away.T))
        # A class without rows counts as half a row.
        return -distances / 2 + np.log(np.maximum(sizes, 0.5) / sizes.sum())


def profile_scores(left_out: Floats, y: Indices) -> Floats:
    """Log-odds of each class, up to a constant of the row, by discriminant analysis.

    With the means m_k and the covariance S of `Profiles`:

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
    return Profiles.of(left_out, y).scores(left_out, y)


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
