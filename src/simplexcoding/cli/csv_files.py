"""CSV files, read strictly: a row that does not fit its header is an error, not a shift."""

import csv
import re
from collections import Counter
from collections.abc import Sequence
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
            frame = pandas.read_csv(
                source, index_col=False, converters=dict.fromkeys(present, str), low_memory=False
            )
        except ParserWarning:
            raise Complaint(f"has a row of more fields than its {len(header)} columns.") from None
    for name in present:
        frame[name] = _as_written(frame[name].to_numpy(dtype=object))
    return frame


def _header(source: Any) -> list[str]:
    with (
        BytesIO(source.getvalue()) if isinstance(source, BytesIO) else open(source, "rb") as stream
    ):
        return next(csv.reader(TextIOWrapper(stream, "utf-8-sig", newline="")), [])


def _as_written(values: Any) -> Any:
    if all(_INTEGER.fullmatch(value) for value in values):
        return values.astype(np.int64)
    values[values == ""] = None
    return values
