"""Rows of results arranged as the paper's table: ours, the paper's, the difference."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from simplexcoding.datasets import BUNDLED, CATALOGUE
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.published import published


@dataclass(frozen=True)
class Entry:
    """A cell: our accuracy, the paper's, both in per cent and None where there is none."""

    ours: float | None
    paper: float | None
    error: str = ""

    @property
    def difference(self) -> float | None:
        """Ours less the paper's, in points."""
        if self.ours is None or self.paper is None:
            return None
        return round(self.ours - self.paper, 2)

    def __str__(self) -> str:
        if self.error:
            return "failed"
        if self.ours is None:
            return "" if self.paper is None else f"- ({self.paper:.2f})"
        if self.difference is None or self.paper is None:
            return f"{self.ours:.2f}"
        return f"{self.ours:.2f} ({self.paper:.2f}, {self.difference:+.2f})"


@dataclass(frozen=True)
class Table:
    """Entries by method and data set, for one kind of features.

    Parameters
    ----------
    features : str
    datasets, methods : list of str
    entries : dict of Entry by data set and method
    """

    features: str
    datasets: list[str]
    methods: list[str]
    entries: dict[tuple[str, str], Entry]

    @classmethod
    def of(cls, rows: Iterable[dict[str, Any]], features: str) -> "Table":
        """Arrange the rows of one kind of features; the later of two rows of a cell counts."""
        rows = [row for row in rows if row["features"] == features]
        entries = {
            (row["method"], row["dataset"]): Entry(
                row.get("accuracy"),
                published(row["method"], row["dataset"]),
                row.get("error", ""),
            )
            for row in rows
        }
        known = {**CATALOGUE, **BUNDLED}
        datasets = [name for name in known if any(name == row["dataset"] for row in rows)]
        methods = [key for key in METHODS if any(key == row["method"] for row in rows)]
        return cls(features, datasets, methods, entries)

    def entry(self, method: str, dataset: str) -> Entry:
        """One entry; an empty one with the paper's figure where nothing was run."""
        return self.entries.get((method, dataset), Entry(None, published(method, dataset)))

    def lines(self) -> list[list[str]]:
        """The table as text, a heading and then one line a method."""
        heading = ["method", "chosen by", *(title(name) for name in self.datasets)]
        body = [
            [
                METHODS[key].title,
                METHODS[key].selection,
                *(str(self.entry(key, name)) for name in self.datasets),
            ]
            for key in self.methods
        ]
        return [heading, *body]

    def markdown(self) -> str:
        """The table in Markdown."""
        heading, *body = self.lines()
        rule = ["---", "---", *("---:" for _ in self.datasets)]
        return "\n".join(f"| {' | '.join(line)} |" for line in [heading, rule, *body])


def title(dataset: str) -> str:
    """Name of a data set as a heading has it."""
    return {**CATALOGUE, **BUNDLED}[dataset].title


def notes(datasets: Sequence[str]) -> list[str]:
    """What a reader of these columns must know."""
    known = {**CATALOGUE, **BUNDLED}
    return [f"{known[name].title}: {known[name].note}" for name in datasets if known[name].note]
