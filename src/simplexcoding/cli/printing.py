"""What a command says: text and tables for people, or one JSON object for programs."""

import json
import math
import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any

# Of a line that is put under a row once the widths are known: no text holds it (see `plain`).
_PLACE = "\ue000"


class Wrapped:
    """Text in a cell that breaks after spaces and underscores, within a word only where it must."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_measure__(self, console: Any, options: Any) -> Any:
        from rich.measure import Measurement
        from rich.text import Text

        parts = [Text(part) for part in _parts(self.text)] or [Text("")]
        least = max(Measurement.get(console, options, part).minimum for part in parts)
        return Measurement(least, Measurement.get(console, options, Text(self.text)).maximum)

    def __rich_console__(self, console: Any, options: Any) -> Any:
        from rich.text import Text

        yield Text("\n".join(wrapped(self.text, options.max_width)), no_wrap=True)


def _parts(text: str) -> list[str]:
    return re.findall(r"[^\s_]*[\s_]|[^\s_]+", text)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many columns; joined they are the text, but for spaces at their ends.

    Examples
    --------
    >>> wrapped("card_payment_fee_charged", 13)
    ['card_payment_', 'fee_charged']
    """
    from rich.cells import cell_len, chop_cells

    lines = []
    for piece in text.split("\n"):
        lines.append("")
        for part in _parts(piece):
            if cell_len((lines[-1] + part).rstrip()) <= width:
                lines[-1] += part
            else:
                # chop_cells cuts a word that is longer than a line.
                lines += chop_cells(part, width) if cell_len(part.rstrip()) > width else [part]
    return [line.rstrip() for line in lines if line.strip()] or [""]


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
        under: Sequence[str] | None = None,
    ) -> None:
        """Print a table for people; long text is wrapped, never cut.

        Of `under`, a text for each row, each stands on lines of its own under its row.
        """
        if self.as_json:
            return
        from rich.table import Table
        from rich.text import Text

        width = self.console.width - 4  # Within the border.
        below = [wrapped(plain(text), width) for text in under or ()]
        table = Table(title=Text(plain(title)) if title else None, expand=bool(below))
        for name in names:
            table.add_column(Text(plain(name)), overflow="fold")
        for k, row in enumerate(rows):
            # As text, for a label such as [/bold] is no markup.
            cells = [Wrapped(plain(cell(value))) for value in row]
            table.add_row(*cells, style="bold" if k == bold else None)
            if below:
                table.add_row("\n".join(len(below[k]) * [_PLACE]))
        if not below:
            self.console.print(table)
            return
        console = self.console
        with console.capture() as drawn:
            console.print(table)
        texts = iter(line for lines in below for line in lines)
        for line in drawn.get().splitlines():
            if _PLACE in line:
                text = Text(next(texts))
                text.align("left", width)
                line = f"\u2502 {text.plain} \u2502"
            print(line, file=console.file)

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
