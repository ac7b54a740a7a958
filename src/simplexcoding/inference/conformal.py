"""Sets of classes that hold the true one with a chosen frequency, from left-out scores."""

from dataclasses import dataclass
from numbers import Real

import numpy as np
from scipy.special import log_softmax

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.design.spectra.leaving_out import check_left_out
from simplexcoding.inference.temperature import fit_temperature
from simplexcoding.rows import row_weights

# Half the beta of least log-loss flattens the tails, which can halve the sets of many classes.
# It has to win clearly: choosing by noise would cost coverage on small samples.
_FLATTER_SHARE_OF_BETA = 0.5
_CLEARLY_SMALLER = 0.95


@dataclass(frozen=True)
class SetRule:
    """Class k is in the set of a row when -log softmax(beta scores)_k <= threshold_k.

    The class with the largest score is always in, so no set is empty.

    Parameters
    ----------
    beta : float
        Scale of the scores in the softmax.
    thresholds : (T,) array, inf for a class that is in every set
    """

    beta: float
    thresholds: Floats

    def sets(self, scores: Floats) -> Bools:
        """Sets of rows with scores (n, T), as an (n, T) array of booleans."""
        if scores.ndim != 2 or scores.shape[1] != len(self.thresholds):
            raise ValueError(
                f"scores must have a column for each of the {len(self.thresholds)} classes, "
                f"got shape {scores.shape}."
            )
        inside = _surprise(scores, self.beta) <= self.thresholds
        inside[np.arange(len(scores)), scores.argmax(axis=1)] = True
        return inside


def fit_set_rule(
    left_out: Floats,
    y: Indices,
    coverage: float = 0.9,
    class_conditional: bool = False,
    weights: Floats | None = None,
) -> SetRule:
    """Thresholds that left-out rows pass with the given frequency.

    Row i is as strange as a_i = -log softmax(beta u_i)_(y_i), u_i its scores by the model
    fitted without it. The threshold is the ceil((n+1) coverage)-th smallest a_i; with
    `class_conditional` each class has that of its own rows. beta is that of least log-loss,
    or half of it where the sets of the left-out rows are then smaller by 5 %. O(n T).

    Parameters
    ----------
    left_out : (n, T) array
        Scores of each row by a model fitted without it.
    y : (n,) array of class indices
    coverage : float in (0, 1), default=0.9
        How often a set is to hold the true class.
    class_conditional : bool, default=False
        Ask for the coverage within every class.
    weights : (n,) array, default=None
        How many rows each row stands for. Not class weights: they would ask for coverage
        on another population.

    Returns
    -------
    SetRule
        Its `sets(scores)` are those of new rows, by their scores under the model of all rows.

    Notes
    -----
    This is the jackknife. For an arbitrary learner it has no guarantee that is free of
    the distribution (Barber et al. 2021, who give examples with coverage zero). For a
    stable one, whose scores at a new row move little when one training row leaves, and
    rows that are independent and of one distribution, coverage tends to the target; sets
    made larger by that movement have at least the target up to the probability that the
    movement is larger. Ridge is stable: with the values of alpha held, leaving row i out
    moves f(x) by k_alpha(x, x_i) (c_(y_i) - f_(-i)(x_i)), |k_alpha| <= kappa^2/alpha where
    k(x, x) <= kappa^2 (Bousquet and Elisseeff 2002). The choices of alpha and beta are
    common to all rows; choosing between two sets by size costs coverage of order
    1/sqrt(n) at most (Yang and Kuchibhotla 2024). The largest score being always in,
    coverage is never below the accuracy, so for targets below that it is higher than asked.

    The jackknife+, with 1 - 2 (1 - coverage) for any symmetric learner, would score each
    new row by all n left-out models: n times the price of a prediction, for sets that
    differ little where the learner is stable.

    References
    ----------
    R. F. Barber, E. J. Candes, A. Ramdas, R. J. Tibshirani, Predictive inference with the
    jackknife+, Annals of Statistics 49 (2021). O. Bousquet, A. Elisseeff, Stability and
    generalization, JMLR 2 (2002). M. Sadinle, J. Lei, L. Wasserman, Least ambiguous
    set-valued classifiers with bounded error levels, JASA 114 (2019). Y. Yang,
    A. K. Kuchibhotla, Selection and aggregation of conformal prediction sets, JASA (2024).

    Examples
    --------
    >>> import numpy as np
    >>> left_out, y = np.array([[1.0, -1], [0.5, -0.5], [-1, 1]] * 10), np.array([0, 1, 1] * 10)
    >>> fit_set_rule(left_out, y).sets(np.array([[2.0, -2.0], [0.1, -0.1]]))
    array([[ True, False],
           [ True,  True]])
    """
    _check(left_out, y, coverage, weights)
    best = fit_temperature(left_out, y, weights)
    if not isinstance(class_conditional, bool | np.bool_):
        raise TypeError(f"class_conditional must be True or False, got {class_conditional!r}.")
    groups = y if class_conditional else np.zeros_like(y)
    sharp = _rule(left_out, y, groups, coverage, weights, best)
    flat = _rule(left_out, y, groups, coverage, weights, _FLATTER_SHARE_OF_BETA * best)
    sizes = [np.average(rule.sets(left_out).sum(axis=1), weights=weights) for rule in (sharp, flat)]
    return flat if sizes[1] < _CLEARLY_SMALLER * sizes[0] else sharp


def _surprise(scores: Floats, beta: float) -> Floats:
    """-log softmax(beta scores), (n, T)."""
    return -log_softmax(beta * scores.astype(np.float64, copy=False), axis=1)


def _rule(
    left_out: Floats,
    y: Indices,
    groups: Indices,
    coverage: float,
    weights: Floats | None,
    beta: float,
) -> SetRule:
    own = _surprise(left_out, beta)[np.arange(len(y)), y]
    counts = row_weights(weights, len(y))
    n_groups = left_out.shape[1] if groups is y else 1
    thresholds = [
        _quantile(own[groups == g], counts[groups == g], coverage) for g in range(n_groups)
    ]
    return SetRule(beta, np.broadcast_to(thresholds, left_out.shape[1:]).copy())


def _quantile(values: Floats, counts: Floats, coverage: float) -> float:
    """Smallest value with coverage (N + 1) of the N rows counted at or below it, or inf."""
    order = np.argsort(values, kind="stable")
    below = np.cumsum(counts[order])
    total = below[-1] if len(below) else 0.0
    # Rounding must not ask for one row more: (9 + 1) 0.9 is 9.
    needed = (total + 1) * coverage * (1 - 1e-12)
    place = int(np.searchsorted(below, needed))
    return float(values[order[place]]) if place < len(values) else np.inf


def _check(left_out: Floats, y: Indices, coverage: float, weights: Floats | None) -> None:
    if not isinstance(coverage, Real) or not 0 < coverage < 1:
        raise ValueError(f"coverage must lie between 0 and 1, got {coverage!r}; try 0.9.")
    check_left_out(left_out, y)
    if weights is not None and (len(weights) != len(y) or np.any(weights < 0)):
        raise ValueError(
            f"weights must be {len(y)} numbers, none negative, got {len(weights)} "
            f"with smallest {np.min(weights):g}."
        )
