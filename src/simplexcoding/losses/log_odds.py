"""Losses whose scores are log-probabilities: made of odds, each found by the others."""

from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.loss import Loss, probabilities


def log_odds(P: ArrayLike) -> Floats:
    """Centred log-probabilities, (m, T); a zero counts as the smallest positive float."""
    return centred(np.log(np.maximum(probabilities(P), np.finfo(np.float64).tiny)))


class LogOddsLoss(Loss):
    """A loss that centred log-probabilities minimise: it tells all of them."""

    smooth: ClassVar[bool] = True

    def conditional_minimizer(self, P: ArrayLike) -> Floats:
        """Centred log-probabilities."""
        return log_odds(P)

    def class_probabilities(self, S: ArrayLike) -> Floats:
        """Softmax of the scores."""
        return softmax(np.asarray(S), axis=1)

    def is_consistent(self, n_classes: int) -> bool:
        return True
