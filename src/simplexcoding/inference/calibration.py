"""From scores to probabilities, fitted to left-out scores."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import softmax

from simplexcoding.arrays import Floats, Indices, centred
from simplexcoding.inference.temperature import fit_temperature
from simplexcoding.inference.vector_scaling import WarmFits, fit_vector_scaling
from simplexcoding.losses import LeastSquares

# Left-out scores that the calibration of each class takes no time worth mention for.
_MOST_SCORES_POOLED = 100_000


def usual_kind(linear: bool, n_scores: int) -> str:
    """The calibration of so many left-out scores, of a linear function or of another.

    Least squares hides a class between two others: linear scores need more than a scale.
    """
    return "pooled" if linear and n_scores <= _MOST_SCORES_POOLED else "temperature"


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


class Calibration(ABC):
    """A map from scores to probabilities."""

    name: ClassVar[str]

    @abstractmethod
    def probabilities(self, scores: Floats) -> Floats:
        """Probabilities of raw scores, (n, T), rows summing to one."""

    def decisions(self, scores: Floats) -> Floats:
        """Scores that decide, (n, T), summing to zero; the raw ones unless it moves them."""
        return scores


@dataclass(frozen=True)
class Uncalibrated(Calibration):
    """The mixture of vertices that least squares estimates, put on the simplex."""

    name: ClassVar[str] = "none"

    def probabilities(self, scores: Floats) -> Floats:
        return regression_probabilities(scores)


@dataclass(frozen=True)
class Temperature(Calibration):
    """softmax(beta u): one number, which keeps the largest score the largest.

    Parameters
    ----------
    beta : float
        Scale of the scores, the inverse of the temperature.
    """

    beta: float
    name: ClassVar[str] = "temperature"

    def probabilities(self, scores: Floats) -> Floats:
        return softmax(scores * scores.dtype.type(self.beta), axis=1)


@dataclass(frozen=True, eq=False)
class Vector(Calibration):
    """softmax(a u + b): a scale and an offset for each class, which may change the answer.

    Parameters
    ----------
    scales : (T,) array a
    offsets : (T,) array b
    """

    scales: Floats
    offsets: Floats
    name: ClassVar[str] = "vector"

    def _logits(self, scores: Floats) -> Floats:
        return scores * self.scales.astype(scores.dtype) + self.offsets.astype(scores.dtype)

    def probabilities(self, scores: Floats) -> Floats:
        return softmax(self._logits(scores), axis=1)

    def decisions(self, scores: Floats) -> Floats:
        return centred(self._logits(scores))


@dataclass(frozen=True, eq=False)
class Pooled(Calibration):
    """softmax(a u + b), brought to where the largest score keeps the largest probability.

    Of the distributions q that give the class k of the largest score no less than any other, the
    one of least expected log-loss -sum_j p_j log(q_j) where p = softmax(a u + b) is true: class k
    and those above it share alike what they have together. With t the largest of the means of p_k
    and the m largest others, m = 0, 1, ..., it is min(p, t), and t for class k.

    A scale and an offset for each class see what the order of the scores hides; every prediction
    stays. O(n T log T).

    Parameters
    ----------
    scales : (T,) array a
    offsets : (T,) array b
    """

    scales: Floats
    offsets: Floats
    name: ClassVar[str] = "pooled"

    def probabilities(self, scores: Floats) -> Floats:
        p = Vector(self.scales, self.offsets).probabilities(scores)
        rows, top = np.arange(len(p)), scores.argmax(axis=1)
        own = p[rows, top]
        p[rows, top] = np.inf
        largest = -np.sort(-p, axis=1)
        largest[:, 0] = own
        level = (np.cumsum(largest, axis=1) / np.arange(1, p.shape[1] + 1)).max(axis=1)
        # By a rounding less for the others: the answer has no equals.
        np.minimum(p, (level * BELOW)[:, None], out=p, casting="same_kind")
        p[rows, top] = 0
        p[rows, top] = 1 - p.sum(axis=1)
        return p


# What others may have of the probability of the answer; float32 tells it from one.
BELOW = 1 - 2.0**-22
KINDS = ("temperature", "vector", "pooled", "none")


def fit_calibration(
    kind: str,
    scores: Floats,
    y: Indices,
    weights: Floats | None = None,
    trail: WarmFits | None = None,
) -> Calibration:
    """Fit a calibration to left-out scores.

    Parameters
    ----------
    kind : "temperature", "vector", "pooled" or "none"
        How scores become probabilities, as in the estimators.
    scores : (n, T) array of left-out scores
    y : (n,) array of class indices
    weights : (n,) array, default=None
        None stands for ones.
    trail : WarmFits, default=None
        Of fits to similar scores, for "vector" and "pooled".
    """
    if kind == "none":
        return Uncalibrated()
    if kind == "temperature":
        return Temperature(fit_temperature(scores, y, weights))
    if kind == "vector":
        return Vector(*fit_vector_scaling(scores, y, weights, trail))
    if kind == "pooled":
        return Pooled(*fit_vector_scaling(scores, y, weights, trail))
    raise ValueError(f"calibration must be one of {', '.join(KINDS)}; got {kind!r}.")


def expected_calibration_error(p: Floats, y: Indices, bins: int = 15) -> float:
    """Mean gap between the largest probability and the hit rate, over bins of it.

    Parameters
    ----------
    p : (n, T) array of probabilities
    y : (n,) array of class indices
    bins : int, default=15
        Equal parts of [0, 1] that the largest probabilities are sorted into.
    """
    top = p.max(axis=1)
    hits = p.argmax(axis=1) == y
    place = np.minimum((top * bins).astype(int), bins - 1)
    counts = np.bincount(place, minlength=bins)
    gap = np.bincount(place, hits, minlength=bins) - np.bincount(place, top, minlength=bins)
    return float(np.abs(gap).sum() / counts.sum())
