"""What a command says: text and tables for people, or one JSON object for programs."""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from typing import Any


class Printer:
    """Prints for people, or collects nothing and prints one JSON object at the end.

    Parameters
    ----------
    as_json : bool
    beside : bool, default=False
        Whether standard output is taken by data: then people read standard error.
    """

    def __init__(self, as_json: bool, beside: bool = False) -> None:
        self.as_json = as_json
        self.beside = beside

    @property
    def console(self) -> Any:
        """Console for people; one that prints nothing under --json."""
        from rich.console import Console

        return Console(highlight=False, markup=False, stderr=self.beside, quiet=self.as_json)

    def line(self, text: str) -> None:
        """Print a line for people."""
        if not self.as_json:
            print(plain(text), file=sys.stderr if self.beside else sys.stdout)

    def table(
        self,
        title: str,
        names: Sequence[str],
        rows: Iterable[Sequence[Any]],
        bold: int | None = None,
    ) -> None:
        """Print a table for people; long text is wrapped, never cut."""
        if self.as_json:
            return
        from rich.table import Table
        from rich.text import Text

        table = Table(title=Text(plain(title)) if title else None)
        for name in names:
            table.add_column(Text(plain(name)), overflow="fold")
        for k, row in enumerate(rows):
            # As text, for a label such as [/bold] is no markup.
            cells = [Text(plain(cell(value))) for value in row]
            table.add_row(*cells, style="bold" if k == bold else None)
        self.console.print(table)

    def result(self, values: dict[str, Any]) -> None:
        """Print the one JSON object, if it was asked for."""
        if self.as_json:
            text = json.dumps(as_plain(values), ensure_ascii=False, allow_nan=False)
            print(text, file=sys.stderr if self.beside else sys.stdout)


def cell(value: Any) -> str:
    """A value in a table: blank for what is not known, yes or no for truth."""
    value = as_plain(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def plain(text: str) -> str:
    """Text whose control characters are spelled out: a file must not steer the terminal."""
    return "".join(
        letter if letter.isprintable() or letter == "\n" else ascii(letter)[1:-1] for letter in text
    )


def as_plain(value: Any) -> Any:
    """A value as JSON has it: numbers that are not finite become null."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
