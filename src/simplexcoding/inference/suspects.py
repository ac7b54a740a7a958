"""Labels that left-out predictions contradict, ranked, and how many are wrong."""

from dataclasses import dataclass, fields, replace

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.spectra.leaving_out import check_left_out
from simplexcoding.inference.profiles import audit_probabilities


@dataclass(frozen=True)
class Suspects:
    """Every row, the most suspicious label first.

    Rows whose given class is not the most probable one come before all others; within
    both parts the order is that of the score.

    Parameters
    ----------
    row : (n,) array of row numbers
    given, suggested : (n,) arrays of class indices
        Suggested is the most probable class.
    given_probability, suggested_probability : (n,) arrays
    score : (n,) array
        How strange the given label is: -log of its probability.
    errors : (T, T) array
        Estimated number of rows given class a whose true class is b; zero diagonal.
    """

    row: Indices
    given: Indices
    suggested: Indices
    given_probability: Floats
    suggested_probability: Floats
    score: Floats
    errors: Floats

    def __len__(self) -> int:
        return len(self.row)

    def take(self, rows: slice) -> "Suspects":
        """Some of the rows, in order, beside the errors of all."""
        parts = {f.name: getattr(self, f.name)[rows] for f in fields(self) if f.name != "errors"}
        return replace(self, **parts)

    @property
    def n_contradicted(self) -> int:
        """How many rows, the first ones, the left-out model would label otherwise."""
        return int(np.count_nonzero(self.given != self.suggested))

    @property
    def n_errors(self) -> float:
        """Estimated number of wrong labels."""
        return float(self.errors.sum())


def rank_suspects(left_out: Floats, y: Indices, probabilities: Floats | None = None) -> Suspects:
    """Rank rows by how little the model fitted without them believes their label.

    The score of row i is -log p_(y_i). p is the mean of two probabilities: the softmax of
    the left-out scores, and that of discriminant analysis on them (`audit_probabilities`).

    Parameters
    ----------
    left_out : (n, T) array of scores of rows by models fitted without them
    y : (n,) array of class indices
    probabilities : (n, T) array, default=None
        Of left-out rows, in place of that mean.

    Returns
    -------
    Suspects

    Examples
    --------
    >>> import numpy as np
    >>> left_out = np.array([[2.0, -2], [1.5, -1.5], [1, -1], [-1, 1], [-2, 2]])
    >>> suspects = rank_suspects(left_out, np.array([0, 0, 1, 1, 1]))
    >>> int(suspects.row[0]), int(suspects.given[0]), int(suspects.suggested[0])
    (2, 1, 0)
    """
    _check(left_out, y, probabilities)
    if probabilities is None:
        probabilities = audit_probabilities(left_out, y)
    rows, suggested = np.arange(len(y)), probabilities.argmax(axis=1)
    own, best = probabilities[rows, y], probabilities[rows, suggested]
    return ordered_suspects(y, own, suggested, best, estimate_errors(probabilities, y))


def ordered_suspects(
    y: Indices, own: Floats, suggested: Indices, best: Floats, errors: Floats
) -> Suspects:
    """Rows in order: class and its probability, the most probable class and its own."""
    score = -np.log(np.maximum(own, np.finfo(np.float64).tiny))
    order = np.lexsort((-score, suggested == y))
    return Suspects(
        order, y[order], suggested[order], own[order], best[order], score[order], errors
    )


def estimate_errors(probabilities: Floats, y: Indices) -> Floats:
    """Estimated number of labels given as a and truly b, (T, T), zero diagonal.

    A row speaks for b when p_b is at least the mean of p_b over the rows given b, and is
    the largest such. Rows that speak, counted by given class and b, are scaled to the
    size of each given class (the confident joint of Northcutt, Jiang and Chuang, Confident
    learning, JAIR 70, 2021). Right where errors depend on the classes alone and the
    probabilities rank well; a weak model confuses hard rows with wrong labels.

    Parameters
    ----------
    probabilities : (n, T) array
        Of each class in each row, by models fitted without it.
    y : (n,) array of class indices

    Examples
    --------
    >>> import numpy as np
    >>> p = np.array([[0.9, 0.1], [0.8, 0.2], [0.9, 0.1], [0.1, 0.9], [0.2, 0.8]])
    >>> estimate_errors(p, np.array([0, 0, 1, 1, 1])).round(1)
    array([[0., 0.],
           [1., 0.]])
    """
    own = probabilities[np.arange(len(y)), y]
    means = mean_probabilities(own, y, probabilities.shape[1])
    return scaled_to_classes(speaking_rows(probabilities, y, means), y)


def mean_probabilities(own: Floats, y: Indices, n_classes: int) -> Floats:
    """Mean over the rows of each class of the probability of that class, (T,)."""
    sizes = np.bincount(y, minlength=n_classes)
    sums = np.bincount(y, own, minlength=n_classes)
    # A class without rows has no mean: nothing speaks for it.
    return np.divide(sums, sizes, out=np.full(n_classes, np.inf), where=sizes > 0)


def speaking_rows(probabilities: Floats, y: Indices, means: Floats) -> Floats:
    """Rows given a that speak for b, counted, (T, T). Counts of parts of the rows add."""
    eligible = np.where(probabilities >= means, probabilities, -1.0)
    speaks = eligible.max(axis=1) >= 0
    joint = np.zeros((len(means),) * 2)
    np.add.at(joint, (y[speaks], eligible.argmax(axis=1)[speaks]), 1.0)
    return joint


def scaled_to_classes(joint: Floats, y: Indices) -> Floats:
    """Counts scaled to the size of each given class, without those that agree."""
    totals, sizes = joint.sum(axis=1), np.bincount(y, minlength=len(joint))
    scaled = joint * np.divide(sizes, totals, out=np.zeros(len(joint)), where=totals > 0)[:, None]
    np.fill_diagonal(scaled, 0.0)
    return np.asarray(scaled)


def _check(left_out: Floats, y: Indices, probabilities: Floats | None) -> None:
    check_left_out(left_out, y)
    if probabilities is not None and probabilities.shape != left_out.shape:
        raise ValueError(
            f"probabilities must have the shape of left_out, {left_out.shape}, "
            f"got {probabilities.shape}."
        )
