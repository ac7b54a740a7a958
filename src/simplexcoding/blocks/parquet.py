"""Blocks of Parquet files, by row group."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simplexcoding.blocks.block import Block, Blocks, rows_for


def from_parquet(
    path: Any,
    target: str,
    *,
    features: Sequence[str] | None = None,
    weight: str | None = None,
    rows: int | None = None,
) -> Blocks:
    """Blocks of one Parquet file or of a folder of them; a part is a row group.

    Needs pyarrow. Columns of numbers are features; a column of lists (an embedding) is as
    many as its lists are long.

    Parameters
    ----------
    path : str or Path, a file or a folder, whose `*.parquet` files are read in order of name
    target : str, the column of labels
    features : list of str, default=None
        None takes all columns but `target` and `weight`.
    weight : str, default=None
        A column of weights.
    rows : int, default=None
        Most rows of a block; None takes about four million values.

    Returns
    -------
    Blocks
    """
    files = _files(Path(path))
    opened = _open(files[0])
    known = opened.schema_arrow.names
    for what, column in (("target", target), ("weight", weight)):
        if column is not None and column not in known:
            raise ValueError(f"{what}={column!r} is no column of {files[0]}: {', '.join(known)}.")
    used = [name for name in known if name not in (target, weight)]
    if features is not None:
        missing = [name for name in features if name not in known]
        if missing:
            raise ValueError(f"features holds {missing[0]!r}, no column of {files[0]}.")
        used = list(features)
    names = _feature_names(opened, used, files[0])
    size = rows_for(len(names)) if rows is None else rows
    parts: list[ParquetPart] = []
    n_rows = 0
    for file in files:
        metadata = _open(file).metadata
        n_rows += metadata.num_rows
        parts += [
            ParquetPart(str(file), group, target, tuple(used), weight, size)
            for group in range(metadata.num_row_groups)
        ]
    return Blocks(parts, names, n_rows=n_rows, n_features=len(names))


@dataclass(frozen=True)
class ParquetPart:
    """One row group of one file.

    Parameters
    ----------
    path : str
    group : int, its number in the file
    target : str, the column of labels
    features : tuple of str, the columns of X
    weight : str, the column of weights, or None
    rows : int
    """

    path: str
    group: int
    target: str
    features: tuple[str, ...]
    weight: str | None
    rows: int

    @property
    def name(self) -> str:
        """File and number of the row group."""
        return f"{self.path}, row group {self.group}"

    @property
    def files(self) -> list[str]:
        """The path of its file."""
        return [self.path]

    def __iter__(self) -> Iterator[Block]:
        columns = [*self.features, self.target, *([self.weight] if self.weight else [])]
        file = _open(Path(self.path))
        lost = [column for column in columns if column not in file.schema_arrow.names]
        if lost:
            raise ValueError(f"{self.path} has no column {lost[0]!r}, which the first file has.")
        batches = file.iter_batches(self.rows, row_groups=[self.group], columns=columns)
        for batch in batches:
            X = np.column_stack([_values(batch.column(name), name) for name in self.features])
            y = batch.column(self.target)
            y = y.dictionary_decode() if hasattr(y, "dictionary_decode") else y
            weight = None
            if self.weight is not None:
                weight = _values(batch.column(self.weight), self.weight)[:, 0]
            yield Block(X, y.to_numpy(zero_copy_only=False), weight)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(path.glob("*.parquet"))
        if not files:
            raise ValueError(f"path={str(path)!r} is a folder without *.parquet files.")
        return files
    if not path.exists():
        raise FileNotFoundError(f"path={str(path)!r} does not exist.")
    return [path]


def _open(path: Path) -> Any:
    try:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ImportError("Parquet files need pyarrow: pip install pyarrow.") from None
    try:
        return ParquetFile(path)
    except ArrowInvalid as error:
        raise ValueError(f"{path} is no Parquet file ({str(error).splitlines()[0]}).") from None


def _feature_names(file: Any, columns: Sequence[str], path: Path) -> tuple[str, ...]:
    """Names of the features; entries of a column of lists are numbered."""
    from pyarrow import types

    names: list[str] = []
    for name in columns:
        kind = file.schema_arrow.field(name).type
        if _is_list(kind):
            width = getattr(kind, "list_size", None) or _first_length(file, name)
            names += [f"{name}_{place}" for place in range(width)]
        elif types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind):
            names.append(name)
        else:
            raise ValueError(
                f"column {name!r} of {path} holds {kind}, no numbers; encode it, or leave it "
                "out of features."
            )
    if not names:
        raise ValueError(f"{path} has no feature columns.")
    return tuple(names)


def _first_length(file: Any, name: str) -> int:
    for batch in file.iter_batches(1, columns=[name]):
        return len(batch.column(0)[0].as_py() or ())
    return 0


def _is_list(kind: Any) -> bool:
    from pyarrow import types

    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


def _values(column: Any, name: str) -> Any:
    """Numbers of one column, (b, width); missing ones are NaN."""
    if not _is_list(column.type):
        values = column.to_numpy(zero_copy_only=False)
        return _floats(values)[:, None]
    if column.null_count:
        raise ValueError(f"column {name!r} holds missing lists; remove those rows.")
    flat = column.flatten()
    lengths = column.value_lengths().to_numpy() if hasattr(column, "value_lengths") else None
    if lengths is not None and len(lengths) and (lengths != lengths[0]).any():
        raise ValueError(f"column {name!r} holds lists of different lengths; pad or cut them.")
    width = len(flat) // max(len(column), 1)
    return _floats(flat.to_numpy(zero_copy_only=False)).reshape(len(column), width)


def _floats(values: Any) -> Any:
    return values if values.dtype in (np.float32, np.float64) else values.astype(np.float64)
