"""Comparison inequalities: what a small excess loss says of the excess risk."""

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats
from simplexcoding.losses.loss import Comparison, Loss
from simplexcoding.relaxation.noise import NoiseCondition


def comparison_bound(
    loss: Loss, n_classes: int, excess: ArrayLike, noise: NoiseCondition | None = None
) -> Floats:
    """Largest excess misclassification that an excess expected loss allows.

    Theorem 1: C excess^a, (C, a) = loss.comparison(T).
    Theorem 2, under a noise condition and for a = 1/2: K (C^2 excess)^((q+1)/(q+2)),
    K = noise.constant; the less of the two bounds is returned. A noise condition
    does not improve a = 1, where the bound is linear already.

    Parameters
    ----------
    loss : Loss with a comparison inequality at that number of classes
    n_classes : int
        T, at which the inequality is asked.
    excess : array of excess expected losses, at least 0
    noise : NoiseCondition, default=None
        What is known of the noise; None is no assumption.

    Returns
    -------
    array of the shape of excess

    Examples
    --------
    >>> from simplexcoding.losses import ConeHinge, LeastSquares
    >>> from simplexcoding.relaxation import NoiseCondition, comparison_bound
    >>> comparison_bound(ConeHinge(), 3, [0.01, 0.1])
    array([0.02, 0.2 ])
    >>> print(comparison_bound(LeastSquares(), 2, 0.01))
    0.1
    >>> print(comparison_bound(LeastSquares(), 2, 0.01, NoiseCondition(q=1, B=1)).round(4))
    0.052
    """
    excess = np.asarray(excess, dtype=np.float64)
    if not np.all(excess >= 0):
        raise ValueError(f"excess must be at least 0, got {excess.min()}.")
    constant, exponent = _constants(loss, n_classes)
    bound = constant * excess**exponent
    if noise is None or exponent != 0.5:
        return np.asarray(bound)
    sharpened = noise.constant * (constant**2 * excess) ** noise.exponent
    return np.asarray(np.minimum(bound, sharpened))


def _constants(loss: Loss, n_classes: int) -> Comparison:
    constants = loss.comparison(n_classes)
    if constants is None:
        raise ValueError(
            f"{loss!r} has no comparison inequality for {n_classes} classes; "
            "take least_squares, cone or half_space with its hull."
        )
    return constants
