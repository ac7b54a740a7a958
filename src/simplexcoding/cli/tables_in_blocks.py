"""Tables that are read in blocks of rows, so that their size does not matter."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from simplexcoding.blocks.block import Block, Blocks, rows_for
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.sources import is_standard, named
from simplexcoding.cli.tables import Columns, Wanted, frame_columns, select

# Files of more bytes are read in blocks, unless it is forbidden.
LARGEST_IN_MEMORY = 2**28
_ENDINGS = (".csv", ".parquet")


def is_streamed(path: Path, asked: bool | None) -> bool:
    """Whether to read a file in blocks: where it is asked for, large, or a folder."""
    if asked is False:
        return False
    if is_standard(path):
        can = large = False
    else:
        try:
            folder = path.is_dir() and bool(_files(path))
            can = folder or path.suffix.lower() in _ENDINGS
            large = folder or (path.is_file() and path.stat().st_size > LARGEST_IN_MEMORY)
        except OSError as error:
            raise Complaint(f"{path}: cannot be read: {error.strerror or error}.") from None
    if asked and not can:
        raise Complaint(f"--stream: {named(path)} is no CSV or Parquet file, nor a folder of such.")
    return can and (bool(asked) or large)


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix.lower() in _ENDINGS)


@dataclass(frozen=True)
class Table:
    """A table in blocks.

    Parameters
    ----------
    parts : list of TablePart
    features : list of (name, width)
    n_rows : int
    """

    parts: list["TablePart"]
    features: list[tuple[str, int]]
    n_rows: int

    @property
    def source(self) -> Blocks:
        """Its blocks, for a fit."""
        width = sum(numbers for _, numbers in self.features)
        return Blocks(self.parts, n_rows=self.n_rows, n_features=width)

    @property
    def kept_types(self) -> dict[str, Any]:
        """Arrow types of the columns to keep, which the files agree on."""
        import pyarrow

        schemas = [part.kept_types for part in {part.path: part for part in self.parts}.values()]
        try:
            schema = pyarrow.unify_schemas(schemas, promote_options="permissive")
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError) as error:
            reason = str(error).splitlines()[0]
            raise Complaint(f"--keep: files hold columns of different types: {reason}") from None
        return dict(zip(schema.names, schema.types, strict=True))

    def columns(self) -> Iterator[Columns]:
        """What is wanted of some rows at a time."""
        for part in self.parts:
            yield from part.columns()


def open_table(path: Path, wanted: Wanted, n_answers: int = 1) -> Table:
    """Look at a table: its parts, its features by the first rows, and how many rows it has.

    Its blocks leave room for `n_answers` numbers that are made of each row.
    """
    try:
        parts, n_rows = _parts(path, wanted)
        first = next((columns for part in parts for columns in part.columns()), None)
    except Complaint:
        raise
    # Readers fail in many ways; for the user they are one.
    except Exception as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise Complaint(f"{named(path)}: cannot be read: {reason}") from None
    if first is None:
        raise Complaint(f"{named(path)}: has no rows.")
    width = sum(numbers for _, numbers in first.features)
    wanted = wanted._replace(features=first.features)
    parts = [replace(part, wanted=wanted, rows=rows_for(max(width, n_answers))) for part in parts]
    return Table(parts, first.features, n_rows)


@dataclass(frozen=True)
class TablePart:
    """A CSV file, or a row group of a Parquet file.

    Parameters
    ----------
    path : str
    group : int or None
    wanted : Wanted
    rows : int, of a block
    integers : frozenset of the columns of text that are integers throughout
    """

    path: str
    group: int | None
    wanted: Wanted
    rows: int = 1024
    integers: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """File, and number of the row group."""
        return self.path if self.group is None else f"{self.path}, row group {self.group}"

    @property
    def files(self) -> list[str]:
        """The path of its file."""
        return [self.path]

    @property
    def kept_types(self) -> Any:
        """Arrow schema of the columns to keep."""
        import pyarrow

        keep = self.wanted.keep
        if self.group is None:
            text, numbers = pyarrow.string(), pyarrow.int64()
            return pyarrow.schema([(k, numbers if k in self.integers else text) for k in keep])
        from pyarrow.parquet import read_schema

        # A column that is not there is complained of when its rows are read; categories are
        # read as what they name.
        kinds = {each.name: each.type for each in read_schema(self.path) if each.name in keep}
        named = pyarrow.types.is_dictionary
        return pyarrow.schema([(k, t.value_type if named(t) else t) for k, t in kinds.items()])

    def __iter__(self) -> Iterator[Block]:
        for columns in self.columns():
            yield Block(columns.X, columns.target, columns.weights)

    def columns(self) -> Iterator[Columns]:
        """What is wanted of some rows at a time."""
        start = 0
        for frame in self._frames():
            name = f"{self.name}, rows from {start} on" if start else self.name
            yield select(name, frame_columns(frame), self.wanted)
            start += len(frame)

    def _frames(self) -> Iterator[Any]:
        if self.group is None:
            from simplexcoding.cli.csv_files import csv_chunks

            yield from csv_chunks(self.path, self.wanted.text, self.rows, self.integers)
            return
        from pyarrow.parquet import ParquetFile

        with ParquetFile(self.path) as file:
            for batch in file.iter_batches(self.rows, row_groups=[self.group]):
                # Integers stay so where some are missing, in every block or in none.
                yield batch.to_pandas(integer_object_nulls=True)


def _parts(path: Path, wanted: Wanted) -> tuple[list[TablePart], int]:
    if not path.exists():
        raise Complaint(f"{path}: no such file.")
    files = _files(path) if path.is_dir() else [path]
    parts: list[TablePart] = []
    total, integers = 0, set(wanted.text)
    for file in files:
        if file.suffix.lower() == ".parquet":
            from pyarrow.parquet import ParquetFile

            with ParquetFile(file) as opened:
                metadata = opened.metadata
                groups = range(metadata.num_row_groups)
                parts += [TablePart(str(file), group, wanted) for group in groups]
                total += metadata.num_rows
            continue
        from simplexcoding.cli.csv_files import integer_columns

        found, n_rows = integer_columns(file, wanted.text, 2**16)
        integers &= found
        total += n_rows
        parts.append(TablePart(str(file), None, wanted))
    return [replace(part, integers=frozenset(integers)) for part in parts], total
