"""Tables in from CSV, Parquet, NPZ and NPY; tables out to CSV and Parquet."""

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from simplexcoding.atomic import write_atomically
from simplexcoding.cli.complaint import Complaint

_READ = (".csv", ".parquet", ".npz", ".npy")
_WRITE = (".csv", ".parquet")


@dataclass(frozen=True)
class Columns:
    """Named columns of a file, and its features as one array.

    Parameters
    ----------
    path : Path
    names : list of str
    X : (n, p) array
    target : (n,) array or None
    """

    path: Path
    names: list[str]
    X: Any
    target: Any | None


def read_columns(path: Path, target: str | None, wanted: list[str] | None = None) -> Columns:
    """Read features, and the target if it is named.

    Parameters
    ----------
    path : Path
        CSV or Parquet with named columns; NPY, an (n, p) array whose columns are x0, x1, ...;
        NPZ with an array X, its columns so named, and arrays of one dimension by their names.
    target : str or None
        Column of the labels; it is no feature.
    wanted : list of str, optional
        Features to take, in this order; all columns but the target by default.

    Returns
    -------
    Columns
    """
    ending = path.suffix.lower()
    if ending not in _READ:
        raise Complaint(f"{path}: unknown ending {ending!r}; give one of {', '.join(_READ)}.")
    if not path.exists():
        raise Complaint(f"{path}: no such file.")
    try:
        columns = _array_columns(path) if ending in (".npz", ".npy") else _frame_columns(path)
    except Complaint:
        raise
    # Readers fail in many ways; for the user they are one.
    except Exception as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise Complaint(f"{path}: cannot be read as {ending[1:].upper()}: {reason}") from None
    labels = None
    if target is not None:
        if target not in columns:
            raise Complaint(f"{path}: no column {target!r}; there are {_some(columns)}.")
        labels = columns.pop(target)
        _check_labels(path, target, labels)
    if wanted is not None:
        missing = [name for name in wanted if name not in columns]
        if missing:
            raise Complaint(f"{path}: no column {_some(missing)}, which the model was fitted on.")
        columns = {name: columns[name] for name in wanted}
    if not columns:
        raise Complaint(f"{path}: no column is left to learn from.")
    X = np.column_stack([_numbers(path, name, values) for name, values in columns.items()])
    return Columns(path, list(columns), X, labels)


def _check_labels(path: Path, target: str, labels: Any) -> None:
    if labels.ndim != 1:
        raise Complaint(f"{path}: {target!r} is no single column.")
    # Only a missing number differs from itself.
    empty = np.array([label is None or label != label for label in labels])
    if empty.any():
        row = int(np.argmax(empty))
        raise Complaint(f"{path}: column {target!r} has no label in row {row}; drop such rows.")


def _frame_columns(path: Path) -> dict[str, Any]:
    import pandas

    reader = pandas.read_csv if path.suffix.lower() == ".csv" else pandas.read_parquet
    frame = reader(path)
    if not len(frame):
        raise Complaint(f"{path}: has no rows.")
    return {str(name): _plain(frame[name]) for name in frame.columns}


def _plain(series: Any) -> Any:
    """A column as an array of numbers or of Python strings, None where a value is missing."""
    if series.dtype.kind in "biuf":
        return series.to_numpy()
    return series.astype(object).where(series.notna(), None).to_numpy(dtype=object)


def _array_columns(path: Path) -> dict[str, Any]:
    found = np.load(path, allow_pickle=False)
    if path.suffix.lower() == ".npy":
        return _matrix_columns(path, found)
    with found:
        if "X" not in found.files:
            raise Complaint(f"{path}: no array X; there are {_some(found.files)}.")
        columns = _matrix_columns(path, found["X"])
        for name in found.files:
            if name != "X" and found[name].ndim == 1 and len(found[name]) == len(found["X"]):
                columns[name] = found[name]
    return columns


def _matrix_columns(path: Path, X: Any) -> dict[str, Any]:
    if X.ndim != 2 or not X.size:
        raise Complaint(f"{path}: needs rows and columns, got shape {X.shape}.")
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


def _numbers(path: Path, name: str, values: Any) -> Any:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise Complaint(
            f"{path}: column {name!r} is not of numbers; drop it, or encode it as numbers."
        ) from None
    wrong = ~np.isfinite(numbers)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise Complaint(
            f"{path}: column {name!r} is missing or infinite in row {row}; fill or drop it."
        )
    return numbers


def write_table(path: Path, columns: dict[str, Any]) -> None:
    """Write columns as CSV or Parquet, whole or not at all."""
    check_writable(path)
    import pandas

    frame = pandas.DataFrame(columns)
    if path.suffix.lower() == ".csv":
        data = frame.to_csv(index=False).encode()
    else:
        stream = BytesIO()
        frame.to_parquet(stream, index=False)
        data = stream.getvalue()
    save(path, data)


def check_writable(path: Path) -> None:
    """Complain of an ending that cannot be written, before any work is done."""
    if path.suffix.lower() not in _WRITE:
        raise Complaint(f"{path}: unknown ending {path.suffix!r}; give one of {', '.join(_WRITE)}.")


def save(path: Path, data: bytes) -> None:
    """Write a file whole, or complain."""
    try:
        write_atomically(path, data)
    except OSError as error:
        raise Complaint(f"{path}: cannot be written: {error.strerror or error}") from None


def _some(names: Any) -> str:
    names = [repr(str(name)) for name in names]
    return ", ".join(names) if len(names) <= 8 else ", ".join(names[:8]) + ", ..."
