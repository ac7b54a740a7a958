"""Whether scores minimise a conditional expected loss, proved from both sides."""

import numpy as np
from scipy.optimize import linprog

from simplexcoding.arrays import Floats, centred
from simplexcoding.losses.loss import Loss
from simplexcoding.relaxation.risks import conditional_loss

_LARGEST_SCORE = 50.0
_MAX_CUTS = 200


def is_minimal(loss: Loss, scores: Floats, p: Floats, tolerance: float = 1e-9) -> bool:
    """Whether no scores have an expected loss lower than these by more than tolerance.

    Kelley's cutting planes: a convex loss lies above its tangents, so the least value of
    the largest of them, a linear program, is a lower bound of sum_k p_k V(u, k). Tangents
    are added where that program points, until the bound meets the given scores (true)
    or better scores turn up (false). Exact in finitely many steps for hinge losses.

    Parameters
    ----------
    loss : Loss
    scores : (T,) array that sums to zero
    p : (T,) array of probabilities
    tolerance : float, default=1e-9

    Returns
    -------
    bool; False too when 200 cuts decide nothing, as may be with a loss infinite in places

    Examples
    --------
    >>> import numpy as np
    >>> from simplexcoding.losses import ConeHinge
    >>> p = np.array([0.5, 0.3, 0.2])
    >>> is_minimal(ConeHinge(), np.array([1.0, -0.5, -0.5]), p)
    True
    >>> is_minimal(ConeHinge(), np.array([-0.5, 1.0, -0.5]), p)
    False
    """
    target = _expected(loss, scores, p)
    slopes, levels = _tangents(loss, scores)
    for _ in range(_MAX_CUTS):
        trial, bound = _lowest(slopes, levels, p)
        if bound >= target - tolerance:
            return True
        trial = _towards(loss, scores, trial)
        if _expected(loss, trial, p) < target - tolerance:
            return False
        more_slopes, more_levels = _tangents(loss, trial)
        slopes = np.concatenate([slopes, more_slopes])
        levels = np.concatenate([levels, more_levels])
    return False


def _expected(loss: Loss, scores: Floats, p: Floats) -> float:
    return float(conditional_loss(loss, scores[None], p[None])[0])


def _tangents(loss: Loss, scores: Floats) -> tuple[Floats, Floats]:
    """Slopes g_k, (T, T), and levels V(u, k) - <g_k, u>, (T,), of one tangent per class."""
    labels = np.arange(len(scores))
    rows = np.tile(scores, (len(scores), 1))
    slopes = loss.subgradient(rows, labels)
    return slopes, loss.value(rows, labels) - slopes @ scores


def _lowest(slopes: Floats, levels: Floats, p: Floats) -> tuple[Floats, float]:
    """Minimise sum_k p_k t_k over scores u and t_k >= 0 above every tangent of class k."""
    n_classes = len(p)
    owner = np.tile(np.eye(n_classes), (len(levels) // n_classes, 1))
    program = linprog(
        np.concatenate([np.zeros(n_classes), p]),
        A_ub=np.hstack([slopes, -owner]),
        b_ub=-levels,
        A_eq=np.concatenate([np.ones(n_classes), np.zeros(n_classes)])[None],
        b_eq=[0.0],
        bounds=[(-_LARGEST_SCORE, _LARGEST_SCORE)] * n_classes + [(0, None)] * n_classes,
    )
    if program.x is None:
        return np.zeros(n_classes), -np.inf
    return centred(program.x[None, :n_classes])[0], float(program.fun)


def _towards(loss: Loss, scores: Floats, trial: Floats) -> Floats:
    """Go from scores towards trial, halving the way until the loss is finite there."""
    labels = np.arange(len(scores))
    for _ in range(60):
        if np.all(np.isfinite(loss.value(np.tile(trial, (len(trial), 1)), labels))):
            return trial
        trial = (scores + trial) / 2
    return scores
