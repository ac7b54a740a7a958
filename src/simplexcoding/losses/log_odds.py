"""Scores whose softmax is a given distribution."""

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.loss import (
    probabilities,
)


def log_odds(P: ArrayLike) -> Floats:
    """Centred log-probabilities, (m, T); a zero counts as the smallest positive float."""
    return centred(np.log(np.maximum(probabilities(P), np.finfo(np.float64).tiny)))
