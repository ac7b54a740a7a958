"""Predictions of rows by the model fitted without them, and which rows leave together."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, row_blocks

# In dual form errors and slacks are as small as the kernel is large: below this their squares
# may leave the range of float32.
_LEAST_SQUARED = 1e-8


@dataclass(frozen=True)
class LeaveOneOut:
    """Out-of-sample predictions Y - E/g of one-hot targets Y.

    E are training errors and g = 1 - leverage; or, in dual form, the dual coefficients
    and the diagonal of the inverse: both by the same factor, which cancels.

    Parameters
    ----------
    errors : (n, T) array E
    slack : (n,) array g > 0
    y : (n,) array of class indices
    """

    errors: Floats
    slack: Floats
    y: Indices

    def take(self, rows: Bools) -> "LeaveOneOut":
        """Predictions of some of the rows."""
        return LeaveOneOut(self.errors[rows], self.slack[rows], self.y[rows])

    def scores(self, overwrite: bool = False) -> Floats:
        """Simplex scores of the left-out rows, (n, T): T/(T-1) times centred predictions.

        `overwrite` puts them in the place of the errors, for the last who asks; not of
        errors that a spectrum keeps, which nobody can write to.
        """
        n_rows, n_classes = self.errors.shape
        scale = n_classes / (n_classes - 1)
        factors = (-scale / self.slack).astype(self.errors.dtype)
        in_place = overwrite and self.errors.flags.writeable
        scores = self.errors if in_place else np.empty_like(self.errors)
        for rows in row_blocks(n_rows, n_classes):
            block = np.multiply(self.errors[rows], factors[rows, None], out=scores[rows])
            y = self.y[rows]
            block[np.arange(len(y)), y] += scale
            block -= block.mean(axis=1, keepdims=True)
        return scores

    def predictions(self) -> Indices:
        """Class of the largest score, (n,), the lowest index at ties."""
        # argmax of Y - E/g is argmin of E - g Y: no division, no centring.
        tilted = self.errors.copy()
        tilted[np.arange(len(self.y)), self.y] -= self.slack
        return tilted.argmin(axis=1)

    def squared_errors(self) -> Floats:
        """||c_y - f||^2 of the left-out rows, (n,)."""
        n_classes = self.errors.shape[1]
        errors, slack = self.errors, self.slack
        if (unit := slack.max(initial=0.0)) < _LEAST_SQUARED:
            errors, slack = errors / unit, slack / unit
        squares = np.einsum("ij,ij->i", errors, errors)
        squares -= errors.sum(axis=1) ** 2 / n_classes
        return squares * (n_classes / (n_classes - 1)) / slack**2


@dataclass(frozen=True)
class Folds:
    """Rows that leave together, fold by fold; folds may overlap and need not hold every row.

    Parameters
    ----------
    folds : tuple of arrays of row numbers, each without repetition
    n_rows : int

    Examples
    --------
    >>> import numpy as np
    >>> Folds((np.array([0, 1]), np.array([1])), 3).covered
    array([ True,  True, False])
    """

    folds: tuple[Indices, ...]
    n_rows: int

    @cached_property
    def times(self) -> Indices:
        """How often each row leaves, (n,)."""
        times = np.zeros(self.n_rows, dtype=np.intp)
        for fold in self.folds:
            times[fold] += 1
        return times

    @cached_property
    def covered(self) -> Bools:
        """Rows that leave at least once, (n,)."""
        return self.times > 0

    def left_out(
        self, y: Indices, n_classes: int, errors_of: Callable[[Indices], Floats]
    ) -> LeaveOneOut:
        """Left-out predictions from the errors (m, T) of each fold of m rows.

        A row of several folds has the mean of its predictions; one of no fold has NaN.
        """
        errors = np.zeros((self.n_rows, n_classes))
        for fold in self.folds:
            errors[fold] += errors_of(fold)
        errors[~self.covered] = np.nan
        errors /= np.maximum(self.times, 1)[:, None]
        return LeaveOneOut(errors, np.ones(self.n_rows), y)

    def without(self, staying: Bools) -> "Folds":
        """The folds of the rows that stay, in their numbering; empty folds are gone."""
        places = np.cumsum(staying) - 1
        kept = (places[fold[staying[fold]]] for fold in self.folds)
        return Folds(tuple(fold for fold in kept if len(fold)), int(staying.sum()))


class LeftOutRows(NamedTuple):
    """Labels and weights behind left-out scores, and which rows of the scores they belong to.

    Parameters
    ----------
    y : (m,) array of class indices
    weights : (m,) array of how many rows each stands for, or None for one
    kept : (n,) array of booleans, m of them true; None for all rows
    """

    y: Indices
    weights: Floats | None
    kept: Bools | None

    def of(self, scores: Floats) -> Floats:
        """The rows of the scores (n, T) that were left out, (m, T)."""
        return scores if self.kept is None else scores[self.kept]


def check_left_out(left_out: Floats, y: Indices) -> None:
    """Refuse left-out scores that are not finite, or not (n, T) for n labels and T >= 2."""
    if left_out.ndim != 2 or left_out.shape[1] < 2 or len(left_out) != len(y):
        raise ValueError(
            f"left_out must have a row for each of the {len(y)} labels and a column for each "
            f"class, two at least, got shape {left_out.shape}."
        )
    if not np.isfinite(left_out).all():
        raise ValueError("left_out must be finite; drop the rows with nan or inf.")
