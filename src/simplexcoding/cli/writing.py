"""Tables out, to CSV and Parquet, whole or row by row."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.sources import is_standard, save

TABLES = (".csv", ".parquet")


def write_table(path: Path, columns: dict[str, Any]) -> None:
    """Write columns as CSV or Parquet, whole or not at all; to standard output as CSV.

    Lists in a column are lists in Parquet and JSON in CSV.
    """
    stream = BytesIO()
    writer = TableWriter(stream, _is_parquet(path))
    writer.write(columns)
    writer.close()
    save(path, stream.getvalue())


@contextmanager
def table_writer(path: Path, types: Mapping[str, Any] | None = None) -> Iterator["TableWriter"]:
    """A table that is written piece by piece and is there whole, or not at all, at the end.

    Standard output takes the pieces as they come.

    Parameters
    ----------
    path : Path
    types : dict of Arrow types, default=None
        Those of columns whose first piece may not show them, such as one of missing values.
    """
    from simplexcoding.atomic import open_atomically

    if is_standard(path):
        writer = TableWriter(sys.stdout.buffer, parquet=False)
        yield writer
        writer.close()
        sys.stdout.buffer.flush()
        return
    try:
        with open_atomically(path) as stream:
            writer = TableWriter(stream, _is_parquet(path), types)
            try:
                yield writer
            finally:
                # Before the stream: what Arrow holds back is written when it goes.
                writer.close()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Complaint(f"{path}: cannot be written: {error.strerror or error}.") from None


class TableWriter:
    """Writes rows as they come.

    Parameters
    ----------
    stream : binary stream
    parquet : bool, whether as Parquet, else as CSV
    types : dict of Arrow types, default=None
        Those of columns whose first rows may not show them.
    """

    def __init__(self, stream: Any, parquet: bool, types: Mapping[str, Any] | None = None) -> None:
        self._stream, self._parquet, self._types = stream, parquet, types or {}
        self._writer: Any = None
        self._begun = False

    def write(self, columns: dict[str, Any]) -> None:
        """Add rows, of the same columns as before."""
        import pandas

        frame = pandas.DataFrame(columns)
        if self._parquet:
            self._write_parquet(frame)
            return
        for name in frame.columns:
            if len(frame) and isinstance(frame[name].iloc[0], list):
                frame[name] = [json.dumps(item, ensure_ascii=False) for item in frame[name]]
        self._stream.write(frame.to_csv(index=False, header=not self._begun).encode())
        self._begun = True

    def _write_parquet(self, frame: Any) -> None:
        import pyarrow
        from pyarrow.parquet import ParquetWriter

        if self._writer is None:
            seen = pyarrow.Schema.from_pandas(frame, preserve_index=False)
            schema = pyarrow.schema([(e.name, self._types.get(e.name, e.type)) for e in seen])
            self._writer = ParquetWriter(self._stream, schema)
        schema = self._writer.schema
        self._writer.write_table(
            pyarrow.Table.from_pandas(frame, schema=schema, preserve_index=False)
        )

    def close(self) -> None:
        """End the table."""
        if self._writer is not None:
            self._writer.close()


def arrow_types(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Arrow types of whole columns, arrays or lists, by their names."""
    import pyarrow

    return {name: pyarrow.array(values, from_pandas=True).type for name, values in columns.items()}


def _is_parquet(path: Path) -> bool:
    return path.suffix.lower() == ".parquet" and not is_standard(path)
