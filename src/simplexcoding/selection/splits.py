"""Folds from what scikit-learn calls `cv`, checked before any work."""

import numbers
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Indices, shown
from simplexcoding.design import Folds
from simplexcoding.design.spectra.leaving_out import LeftOutRows
from simplexcoding.rows import Rows, Training


@dataclass(frozen=True)
class Splits:
    """How the rows of a fit leave together, now and after rows have come and gone.

    Parameters
    ----------
    cv : int or splitter; None for single rows, and where the folds were given
    groups : (n,) array of the rows' groups, or None
    given : Folds that were read from given splits, or None
    """

    cv: Any = None
    groups: Any = None
    given: Folds | None = None

    @classmethod
    def of(cls, cv: Any, training: Training, groups: Any = None) -> "Splits":
        """Read an iterable of splits once: a generator does not come again."""
        if groups is not None:
            groups = _checked_groups(groups, training.size)[training.numbers]
        if cv is None or hasattr(cv, "split") or isinstance(cv, numbers.Integral):
            return cls(cv, groups)
        rows = training.rows
        given = make_folds(cv, rows.X, training.labels, groups, training.kept)
        return cls(None, groups, given)

    def folds(self, training: Training) -> Folds | None:
        """Folds of the rows, None where they leave one at a time."""
        if self.cv is None:
            return self.given
        return make_folds(self.cv, training.rows.X, training.labels, self.groups)

    def joined(self, batch: Training, groups: Any = None) -> "Splits":
        """With new rows at the end: of no fold where the folds were given."""
        if (groups is None) != (self.groups is None):
            word = "must be given, as it was to fit" if groups is None else "was not given to fit"
            raise ValueError(f"groups {word}: the rows of all calls are split together.")
        if groups is not None:
            new = _checked_groups(groups, batch.size)[batch.numbers]
            groups = np.concatenate([self.groups, new])
        given = self.given
        if given is not None:
            given = Folds(given.folds, given.n_rows + len(batch.rows))
        return Splits(self.cv, groups, given)

    def without(self, staying: Bools) -> "Splits":
        """Of the rows that stay."""
        given = None if self.given is None else self.given.without(staying)
        if given is not None and not given.folds:
            raise ValueError("indices holds every row that cv leaves out: no row would be judged.")
        return Splits(self.cv, None if self.groups is None else self.groups[staying], given)


def _checked_groups(groups: Any, n_rows: int) -> Any:
    groups = np.asarray(groups)
    if groups.shape != (n_rows,):
        raise ValueError(
            f"groups must have one value for each of {n_rows} rows, got {groups.shape}."
        )
    return groups


def make_folds(
    cv: Any, X: Any, labels: Any, groups: Any = None, kept: Bools | None = None
) -> Folds:
    """Folds that an integer, a splitter or an iterable of splits leaves out.

    Only the left-out side of a split is used: the rest of the rows must be its other side.

    Parameters
    ----------
    cv : int, splitter or iterable of (train, test)
    X : (n, p) array
    labels : (n,) array
    groups : (n,) array, default=None
        Handed to a splitter.
    kept : (m,) array of booleans, default=None
        Which rows of the caller are these n; splits of an iterable are in the caller's
        numbering.
    """
    from sklearn.model_selection import check_cv  # Slow to import, and seldom needed.

    given = not hasattr(cv, "split") and not isinstance(cv, numbers.Integral)
    if given and isinstance(cv, Iterable):
        cv = list(cv)
        for k, split in enumerate(cv):
            if not hasattr(split, "__len__") or len(split) != 2:
                many = f"{len(split)} parts" if hasattr(split, "__len__") else shown(split)
                raise ValueError(f"cv must hold pairs (train, test), got {many} as split {k}.")
    splitter = check_cv(cv, labels, classifier=True)
    try:
        splits = list(splitter.split(X, labels, groups))
    except ValueError as error:
        if groups is None and "'groups'" in str(error):
            raise ValueError(
                f"cv={shown(cv)} splits by groups and got none; give them: fit(X, y, groups=...)."
            ) from None
        raise
    if not splits:
        raise ValueError(
            "cv holds no split; a generator is used up by its first fit: give a list of splits."
        )
    n_rows = len(kept) if given and kept is not None else len(labels)
    checked = [
        (_row_numbers(train, n_rows, k), _row_numbers(test, n_rows, k))
        for k, (train, test) in enumerate(splits)
    ]
    if given and kept is not None:
        places = np.cumsum(kept) - 1
        checked = [
            (places[train[kept[train]]], places[test[kept[test]]]) for train, test in checked
        ]
    for k, (train, test) in enumerate(checked):
        _check_sides(train, test, len(labels), k)
    return Folds(tuple(test for _, test in checked), len(labels))


def _row_numbers(side: Any, n_rows: int, k: int) -> Indices:
    """Row numbers of one side of split k; a mask of all rows will do."""
    rows = np.asarray(side)
    if rows.dtype == bool and rows.shape == (n_rows,):
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError(f"cv must hold row numbers, got {shown(side)} in split {k}.")
    if rows.size and (rows.min() < 0 or rows.max() >= n_rows):
        wrong = rows.min() if rows.min() < 0 else rows.max()
        raise ValueError(f"cv holds row {wrong} in split {k}, outside 0..{n_rows - 1}.")
    if len(np.unique(rows)) < len(rows):
        raise ValueError(f"cv holds a row twice in split {k}; name each row of a side once.")
    return rows.astype(np.intp, copy=False)


def _check_sides(train: Indices, test: Indices, n_rows: int, k: int) -> None:
    if not len(test):
        raise ValueError(f"cv leaves out no row in split {k}; omit the split.")
    if len(test) == n_rows:
        raise ValueError(f"cv leaves out all {n_rows} rows in split {k}: none is left to fit.")
    if len(train) + len(test) != n_rows or len(np.intersect1d(train, test)):
        raise ValueError(
            f"cv splits {n_rows} rows into {len(train)} and {len(test)} in split {k}; the exact "
            "formula fits all rows that are not left out: make one side the rest of the other."
        )


def judged_rows(rows: Rows, folds: Folds | None) -> LeftOutRows:
    """The rows that some fold leaves out, all where single rows leave."""
    if folds is None or folds.covered.all():
        return LeftOutRows(rows.y, rows.weights, None)
    part = rows.bare.take(folds.covered)
    return LeftOutRows(part.y, part.weights, folds.covered)
