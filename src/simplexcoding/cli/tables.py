"""Tables in from CSV, Parquet, NPZ and NPY: features, labels, weights, groups, text to keep."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.sources import named, open_source

READABLE = (".csv", ".parquet", ".npz", ".npy")


class Wanted(NamedTuple):
    """Which columns of a file play which part; None is none.

    Parameters
    ----------
    target, weights, groups : str or None
    features : list of (name, width) or None
        Columns to take in this order, and how many numbers each holds; None takes all that
        have no other part.
    drop, keep : sequence of str
    """

    target: str | None = None
    features: list[tuple[str, int]] | None = None
    drop: Sequence[str] = ()
    keep: Sequence[str] = ()
    weights: str | None = None
    groups: str | None = None

    @property
    def text(self) -> list[str]:
        """Columns to take as they are written: 007 is not 7, and NA may be a name."""
        return [name for name in (self.target, self.groups, *self.keep) if name is not None]

    @property
    def others(self) -> list[str]:
        """Columns that are no features."""
        single = (self.target, self.weights, self.groups)
        return [*(name for name in single if name is not None), *self.drop, *self.keep]


@dataclass(frozen=True)
class Columns:
    """What was read from a file.

    Parameters
    ----------
    name : str, of the file
    features : list of (name, width)
    X : (n, p) array
    target, weights, groups : (n,) array or None
    kept : dict of (n,) arrays
    """

    name: str
    features: list[tuple[str, int]]
    X: Any
    target: Any | None = None
    weights: Any | None = None
    groups: Any | None = None
    kept: dict[str, Any] = field(default_factory=dict)


def read_columns(path: Path, wanted: Wanted) -> Columns:
    """Read a table.

    CSV and Parquet have named columns; NPY, an (n, p) array, has x0, x1, ...; NPZ has an
    array X, its columns so named, and arrays of one dimension by their names. A column of
    lists of one length is as many features.

    Parameters
    ----------
    path : Path
    wanted : Wanted

    Returns
    -------
    Columns
    """
    return select(named(path), _read(path, wanted), wanted)


def select(name: str, columns: dict[str, Any], wanted: Wanted) -> Columns:
    """The columns of a table in the parts they play; errors call the table by its name."""
    for other in wanted.others:
        if other not in columns:
            raise Complaint(f"{name}: no column {other!r}; there are {_some(columns)}.")
    if wanted.features is None:
        chosen = [column for column in columns if column not in wanted.others]
    else:
        chosen = [column for column, _ in wanted.features]
        missing = [column for column in chosen if column not in columns]
        if missing:
            raise Complaint(f"{name}: no column {_some(missing)}, which the model was fitted on.")
    if not chosen:
        raise Complaint(f"{name}: no column is left to learn from.")
    blocks = [_numbers(name, column, columns[column]) for column in chosen]
    widths = [block.shape[1] for block in blocks]
    for (column, width), found in zip(wanted.features or [], widths, strict=False):
        if width != found:
            raise Complaint(f"{name}: column {column!r} has {found} numbers, fitted on {width}.")
    return Columns(
        name,
        list(zip(chosen, widths, strict=True)),
        np.hstack(blocks),
        _labels(name, wanted.target, columns),
        _weights(name, wanted.weights, columns),
        _labels(name, wanted.groups, columns),
        {column: columns[column] for column in wanted.keep},
    )


def _read(path: Path, wanted: Wanted) -> dict[str, Any]:
    source, ending = open_source(path, READABLE)
    try:
        if ending in (".npz", ".npy"):
            return _array_columns(source, ending)
        return _frame_columns(source, ending, wanted)
    except Complaint as complaint:
        raise Complaint(f"{named(path)}: {complaint}") from None
    # Readers fail in many ways; for the user they are one.
    except Exception as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        kind = ending[1:].upper()
        raise Complaint(f"{named(path)}: cannot be read as {kind}: {reason}") from None


def _frame_columns(source: Any, ending: str, wanted: Wanted) -> dict[str, Any]:
    import pandas

    if ending == ".parquet":
        frame = pandas.read_parquet(source)
    else:
        from simplexcoding.cli.csv_files import read_csv

        frame = read_csv(source, wanted.text)
    if not len(frame):
        raise Complaint("has no rows.")
    return frame_columns(frame)


def frame_columns(frame: Any) -> dict[str, Any]:
    """Columns of a frame as arrays of numbers or of objects, by their names."""
    if not frame.columns.is_unique:
        twice = frame.columns[frame.columns.duplicated()][0]
        raise Complaint(f"has two columns {str(twice)!r}.")
    return {str(name): _plain(frame[name]) for name in frame.columns}


def _plain(series: Any) -> Any:
    """A column as an array of numbers or of Python objects, None where a value is missing."""
    if isinstance(series.dtype, np.dtype) and series.dtype.kind in "biuf":
        return series.to_numpy()
    return series.astype(object).where(series.notna(), None).to_numpy(dtype=object)


def _array_columns(source: Any, ending: str) -> dict[str, Any]:
    found = np.load(source, allow_pickle=False)
    if ending == ".npy":
        return _matrix_columns(found)
    with found:
        if "X" not in found.files:
            raise Complaint(f"no array X; there are {_some(found.files)}.")
        columns = _matrix_columns(found["X"])
        for name in found.files:
            if name != "X" and found[name].ndim == 1 and len(found[name]) == len(found["X"]):
                columns[name] = found[name]
    return columns


def _matrix_columns(X: Any) -> dict[str, Any]:
    if X.ndim != 2 or not X.size:
        raise Complaint(f"needs rows and columns, got shape {X.shape}.")
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


def _labels(name: str, column: str | None, columns: dict[str, Any]) -> Any:
    if column is None:
        return None
    labels = columns[column]
    if labels.ndim != 1:
        raise Complaint(f"{name}: {column!r} is no single column.")
    # Only a missing number differs from itself.
    empty = [label is None or (isinstance(label, float) and label != label) for label in labels]
    if any(empty):
        row = empty.index(True)
        raise Complaint(f"{name}: column {column!r} has no label in row {row}; drop such rows.")
    if labels.dtype == object and any(hasattr(label, "__len__") for label in labels):
        other = next((k for k, label in enumerate(labels) if not isinstance(label, str)), None)
        if other is not None:
            raise Complaint(f"{name}: column {column!r} holds no text or number in row {other}.")
    return labels


def _weights(name: str, column: str | None, columns: dict[str, Any]) -> Any:
    if column is None:
        return None
    cure = "--weights needs a column of numbers"
    weights = _numbers(name, column, columns[column], cure)
    if weights.shape[1] != 1 or (weights < 0).any():
        raise Complaint(f"{name}: column {column!r} must hold weights of zero or more.")
    return weights[:, 0]


def _numbers(
    name: str,
    column: str,
    values: Any,
    cure: str = "leave it out with --drop, or encode it as numbers",
) -> Any:
    """A column as (n, width) numbers; width above one for a column of lists."""
    try:
        first = next((value for value in values if value is not None), None)
        if values.dtype == object and hasattr(first, "__len__"):
            numbers = np.array(_lists(f"{name}: column {column!r}", values, first))
        else:
            numbers = np.asarray(values, dtype=np.float64)[:, None]
    except (TypeError, ValueError):
        raise Complaint(f"{name}: column {column!r} is not of numbers; {cure}.") from None
    wrong = ~np.isfinite(numbers).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise Complaint(
            f"{name}: column {column!r} is missing or infinite in row {row}; fill or drop it."
        )
    return numbers


def _lists(what: str, values: Any, first: Any) -> list[Any]:
    """Lists of numbers, or text such as "[0.5, 1]", as rows of one length."""
    if isinstance(first, str):
        import json

        if not first.lstrip().startswith("["):
            raise ValueError
        values = [None if text is None else json.loads(text) for text in values]
    missing = next((k for k, row in enumerate(values) if row is None), None)
    if missing is not None:
        raise Complaint(f"{what} is missing in row {missing}; fill or drop it.")
    rows = [np.asarray(row, dtype=np.float64) for row in values]
    if any(row.ndim != 1 or not len(row) for row in rows):
        raise ValueError
    width = len(rows[0])
    other = next((k for k, row in enumerate(rows) if len(row) != width), None)
    if other is not None:
        found = f"{len(rows[other])} numbers in row {other} and {width} in row 0"
        raise Complaint(f"{what} has {found}; its lists must be of one length.")
    return rows


def _some(names: Any) -> str:
    names = [repr(str(name)) for name in names]
    return ", ".join(names) if len(names) <= 8 else ", ".join(names[:8]) + ", ..."
