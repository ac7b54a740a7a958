"""Columns of categories: which they are, and their values as numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.solvers.boosting.binning import MAX_BINS


@dataclass(frozen=True)
class Categories:
    """The categorical columns of a table and the values that each was learnt with.

    Parameters
    ----------
    columns : (c,) array of column numbers
    values : for each of them its values in order
    """

    columns: Indices
    values: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, X: Any, which: Any) -> "Categories":
        """Learn the values of the categorical columns of X.

        Parameters
        ----------
        X : (n, p) array or DataFrame of pandas or Polars
        which : "from_dtype" for the columns of a DataFrame whose dtype is categorical; a mask,
            numbers or names of columns; or None
        """
        columns = np.flatnonzero(_mask(X, which))
        values = tuple(_values(_column(X, j)) for j in columns.tolist())
        for j, found in zip(columns.tolist(), values, strict=True):
            if len(found) > MAX_BINS:
                raise ValueError(
                    f"categorical_features: column {_name(X, j)} has {len(found)} categories, at "
                    f"most {MAX_BINS} are told apart: join rare ones, or give it as numbers."
                )
        return cls(columns, values)

    def mask(self, n_features: int) -> Bools:
        """Whether a column is categorical, (p,)."""
        mask = np.zeros(n_features, dtype=bool)
        mask[self.columns] = True
        return mask

    def encode(self, X: Any) -> Any:
        """X with categories as numbers 0, 1, ...; NaN for values missing or never seen."""
        if not len(self.columns):
            return X
        if hasattr(X, "iloc"):
            X = X.copy(deep=False)
            for j, values in zip(self.columns.tolist(), self.values, strict=True):
                X.isetitem(j, _codes(_column(X, j), values))
            return X
        if _is_frame(X):
            series = type(X[:, 0])
            for j, values in zip(self.columns.tolist(), self.values, strict=True):
                X = X.with_columns(series(X.columns[j], _codes(_column(X, j), values)))
            return X
        X = np.asarray(X)
        out = np.empty(X.shape, dtype=X.dtype if X.dtype.kind == "f" else object)
        out[:] = X
        for j, values in zip(self.columns.tolist(), self.values, strict=True):
            out[:, j] = _codes(X[:, j], values)
        return out if out.dtype.kind == "f" else out.astype(np.float64)


def _mask(X: Any, which: Any) -> Bools:
    """Mask of the columns that `categorical_features` means."""
    if which is None:
        return np.zeros(0, dtype=bool)
    if isinstance(which, str) and which == "from_dtype":
        return np.array([_is_category(dtype) for dtype in _dtypes(X)], dtype=bool)
    p = np.shape(X)[-1] if np.ndim(X) else 0
    mask = np.zeros(p, dtype=bool)
    which = np.asarray(which)
    if which.dtype == bool and which.shape == (p,):
        return which
    if which.dtype.kind in "iu" and which.ndim == 1:
        if which.size and (which.min() < 0 or which.max() >= p):
            raise ValueError(f"categorical_features holds a number outside 0..{p - 1}: {which}.")
        mask[which] = True
        return mask
    if which.dtype.kind in "UO" and which.ndim == 1 and _is_frame(X):
        names = list(X.columns)
        unknown = [name for name in which.tolist() if name not in names]
        if not unknown:
            mask[[names.index(name) for name in which]] = True
            return mask
        raise ValueError(f"categorical_features names {unknown[0]!r}, which X does not have.")
    raise ValueError(
        'categorical_features must be "from_dtype", None, or a mask, numbers or names of the '
        f"columns of X; got {which!r}."
    )


def _is_frame(X: Any) -> bool:
    """Whether X is a DataFrame of pandas, which has `iloc`, or of Polars."""
    return hasattr(X, "columns") and hasattr(X, "dtypes")


def _is_category(dtype: Any) -> bool:
    """Whether a dtype is pandas' category, or Polars' Categorical or Enum."""
    return str(dtype) == "category" or str(dtype).startswith(("Categorical", "Enum"))


def _dtypes(X: Any) -> Any:
    return X.dtypes if _is_frame(X) else ()


def _name(X: Any, j: int) -> str:
    return repr(X.columns[j]) if _is_frame(X) else str(j)


def _column(X: Any, j: int) -> Any:
    if not _is_frame(X):
        return np.asarray(X)[:, j]
    return np.asarray(X.iloc[:, j] if hasattr(X, "iloc") else X[:, j])


def _missing(column: Any) -> Bools:
    """Whether a value is None or NaN, the one value that differs from itself."""
    return np.array([value is None or value != value for value in column.tolist()], dtype=bool)


def _values(column: Any) -> tuple[Any, ...]:
    """Distinct values in order: numbers by size, anything else by its words."""
    found = set(column[~_missing(column)].tolist())
    numbers = all(isinstance(value, int | float) for value in found)
    return tuple(sorted(found) if numbers else sorted(found, key=str))


def _codes(column: Any, values: tuple[Any, ...]) -> Floats:
    """Number of each value, NaN where it has none."""
    places = {value: float(place) for place, value in enumerate(values)}
    return np.array(
        [places.get(value, np.nan) if value == value else np.nan for value in column.tolist()]
    )
