"""Sets of rows that leave a fit together."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.design.leave_one_out import LeaveOneOut


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
