"""Tables out, to CSV and Parquet."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

from simplexcoding.cli.sources import is_standard, save

TABLES = (".csv", ".parquet")


def write_table(path: Path, columns: dict[str, Any]) -> None:
    """Write columns as CSV or Parquet, whole or not at all; to standard output as CSV.

    Lists in a column are lists in Parquet and JSON in CSV.
    """
    import pandas

    frame = pandas.DataFrame(columns)
    if path.suffix.lower() == ".parquet" and not is_standard(path):
        stream = BytesIO()
        frame.to_parquet(stream, index=False)
        save(path, stream.getvalue())
        return
    for name in frame.columns:
        if len(frame) and isinstance(frame[name].iloc[0], list):
            frame[name] = [json.dumps(item, ensure_ascii=False) for item in frame[name]]
    save(path, frame.to_csv(index=False).encode())
