"""Results on disk, cell by cell, so that an interrupted run goes on where it stopped."""

import hashlib
import json
import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from simplexcoding.atomic import write_atomically
from simplexcoding.experiments.cell import Cell

_LIBRARIES = ("simplexcoding", "numpy", "scipy", "scikit-learn", "numba")
_FORMAT = 1
PACKAGE = Path(__file__).resolve().parents[1]


def environment() -> dict[str, Any]:
    """Versions, machine, and a mark of the package's code."""
    versions = {}
    for name in _LIBRARIES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "unknown"
    return {
        "python": platform.python_version(),
        "versions": versions,
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "source": source(),
    }


@cache
def source() -> str:
    """Hash of the package's own files: cells of the same mark were made by the same code."""
    code = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        code.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return code.hexdigest()[:16]


class Journal:
    """results.json: rows that are done, and what they were made with.

    Parameters
    ----------
    path : Path
        Read if it exists; every `add` replaces it whole.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._content: dict[str, Any] = {"format": _FORMAT, "rows": [], "complexity": []}
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror or error}.") from None
        self._content = self._parsed(text)

    def _parsed(self, text: bytes) -> dict[str, Any]:
        try:
            content = json.loads(text)
            sound = content["format"] == _FORMAT and all(map(_is_row, content["rows"]))
            if sound and all(map(_is_series, content.get("complexity", []))):
                return dict(content)
        except (ValueError, KeyError, TypeError, RecursionError):
            pass
        raise ValueError(
            f"{self.path} holds no results of this program; move it away or choose another folder."
        )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Rows in the order in which they were done."""
        return list(self._content["rows"])

    @property
    def complexity(self) -> list[dict[str, Any]]:
        """Series of the complexity figure, empty if it was not measured."""
        return list(self._content.get("complexity", []))

    def figures(self) -> dict[str, Any]:
        """What tables and pages need: the content without confusion matrices and curves."""
        bulky = ("confusion", "curve")
        rows = [{k: v for k, v in row.items() if k not in bulky} for row in self.rows]
        return {**self._content, "rows": rows}

    def find(self, cell: Cell) -> dict[str, Any] | None:
        """The row of a cell that is done without error, under the same protocol."""
        return next((row for row in self._matching(cell) if "error" not in row), None)

    def last(self, cell: Cell) -> dict[str, Any] | None:
        """The row of a cell, failed or not."""
        return next(self._matching(cell), None)

    def add(self, cell: Cell, row: dict[str, Any]) -> None:
        """Keep a row in place of any earlier one of its cell, and write."""
        old = list(self._matching(cell))
        rows = [other for other in self._content["rows"] if other not in old]
        finished = datetime.now(UTC).isoformat("T", "seconds")
        new = {**row, "finished": finished, "environment": environment()}
        self._content["rows"] = [*rows, new]
        self._write()

    def add_complexity(self, series: list[dict[str, Any]]) -> None:
        """Keep the series of the complexity figure, and write."""
        self._content["complexity"] = series
        self._write()

    def _matching(self, cell: Cell) -> Iterator[dict[str, Any]]:
        key = cell.key
        return (row for row in self._content["rows"] if key.items() <= row.items())

    def _write(self) -> None:
        write_atomically(self.path, f"{json.dumps(self._content)}\n".encode())


def _is_row(row: Any) -> bool:
    """Whether a row has what tables and reports take for granted."""
    names = all(isinstance(row[name], str) for name in ("dataset", "features", "method"))
    outcome = isinstance(row.get("error"), str) or isinstance(row["accuracy"], int | float)
    return names and outcome and isinstance(row["protocol"], dict)


def _is_series(series: Any) -> bool:
    """Whether a series of timings has what tables and figures take for granted."""
    words = all(isinstance(series[name], str) for name in ("title", "axis", "order"))
    values, seconds = series["values"], series["seconds"]
    numbers = [series["slope"], *values, *seconds]
    return (
        words
        and 0 < len(values) == len(seconds)
        and all(isinstance(value, int | float) for value in numbers)
    )
