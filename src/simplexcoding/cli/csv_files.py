"""CSV files, read strictly: a row that does not fit its header is an error, not a shift."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import ExitStack
from io import BytesIO, TextIOWrapper
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from simplexcoding.cli.complaint import Complaint

# Integers as they are printed: neither 007 nor +7 nor -0.
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def read_csv(source: Any, text: Sequence[str]) -> Any:
    """Read a frame; the columns named in `text` as they are written.

    Such a column becomes one of integers only where every value is printed so again.

    Parameters
    ----------
    source : path or BytesIO
    text : sequence of str

    Returns
    -------
    DataFrame
    """
    (frame,) = _frames(source, text, None)
    for name in set(text) & set(frame.columns):
        frame[name] = _as_written(frame[name].to_numpy(dtype=object))
    return frame


def csv_chunks(source: Any, text: Sequence[str], rows: int, integers: Set[str]) -> Iterator[Any]:
    """Read frames of some rows; the columns named in `integers` hold such and nothing else."""
    for frame in _frames(source, text, rows):
        for name in set(text) & set(frame.columns):
            values = frame[name].to_numpy(dtype=object)
            if name in integers:
                frame[name] = values.astype(np.int64)
            else:
                values[values == ""] = None
                frame[name] = values
        yield frame


def integer_columns(source: Any, text: Sequence[str], rows: int) -> tuple[set[str], int]:
    """Which columns hold integers as they are printed in every row, and the number of rows."""
    found, n_rows = set(text), 0
    for frame in _frames(source, text, rows):
        found &= set(frame.columns)
        n_rows += len(frame)
        for name in sorted(found):
            if not all(_INTEGER.fullmatch(value) for value in frame[name]):
                found.remove(name)
    return found, n_rows


def _frames(source: Any, text: Sequence[str], rows: int | None) -> Iterator[Any]:
    """Frames of so many rows, or one of all; columns of text as they are written."""
    import pandas
    from pandas.errors import ParserWarning

    header = _header(source)
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise Complaint(f"has two columns {twice[0]!r}.")
    present = [name for name in text if name in header]
    with catch_warnings():
        # A first row of more fields than the header: pandas would drop or shift them.
        simplefilter("error", ParserWarning)
        try:
            found = pandas.read_csv(
                source,
                index_col=False,
                converters=dict.fromkeys(present, str),
                low_memory=False,
                chunksize=rows,
            )
            if rows is None:
                yield found
                return
            with found:
                yield from found
        except ParserWarning:
            raise Complaint(f"has a row of more fields than its {len(header)} columns.") from None


def _header(source: Any) -> list[str]:
    with ExitStack() as stack:
        copied = isinstance(source, BytesIO)
        stream = BytesIO(source.getvalue()) if copied else stack.enter_context(open(source, "rb"))
        text = stack.enter_context(TextIOWrapper(stream, "utf-8-sig", newline=""))
        return next(csv.reader(text), [])


def _as_written(values: Any) -> Any:
    if all(_INTEGER.fullmatch(value) for value in values):
        return values.astype(np.int64)
    values[values == ""] = None
    return values
