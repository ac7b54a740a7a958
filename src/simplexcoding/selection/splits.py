"""Folds from what scikit-learn calls `cv`, checked before any work."""

import numbers
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Indices
from simplexcoding.design import Folds


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
    splits = list(check_cv(cv, labels, classifier=True).split(X, labels, groups))
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
        raise ValueError(f"cv must hold row numbers, got {side!r} in split {k}.")
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
