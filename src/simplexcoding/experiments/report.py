"""The report: one HTML file with tables and figures inside, for a screen, a phone and paper."""

from collections.abc import Sequence
from html import escape
from typing import Any

from simplexcoding.experiments import figures
from simplexcoding.experiments.cell import FEATURES
from simplexcoding.experiments.html_page import entry_html, figure_html, page, section, table_html
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.table import Entry, Table, notes, title

_PREFACE = """Accuracy in per cent on the test part. In brackets: the figure of Mroueh, Poggio,
Rosasco and Slotine, Multiclass Learning with Simplex Coding (NIPS 2012), and ours less theirs.
The features behind the paper's columns Caltech101 and Pubfig83 were never published."""


def report(rows: Sequence[dict[str, Any]], complexity: Sequence[dict[str, Any]] = ()) -> str:
    """HTML of the results.

    Parameters
    ----------
    rows : sequence of dict
        Rows of a Journal.
    complexity : sequence of dict, default=()
        Its series of timings.

    Returns
    -------
    str, well formed as XML, with no address outside itself
    """
    parts = []
    for kind in FEATURES:
        table = Table.of(rows, kind)
        if table.methods:
            parts.append(section(f"Accuracy, {kind} features", _table(table), _notes(table)))
    parts += [_timings(rows), _complexity(complexity), _dataset_sections(rows)]
    figure = figure_html(figures.level_sets(), "Level sets of the losses for three classes")
    parts.append(section("Level sets of the losses", figure))
    parts.append(section("How it was made", _settings(rows)))
    return page("Multiclass learning with simplex coding: the paper's table", _PREFACE, parts)


def _table(table: Table) -> str:
    heading = table.lines()[0]
    body = [
        [
            escape(METHODS[key].title),
            escape(METHODS[key].selection),
            *(_entry(table.entry(key, name)) for name in table.datasets),
        ]
        for key in table.methods
    ]
    return table_html([escape(text) for text in heading], body)


def _entry(entry: Entry) -> str:
    paper = "" if entry.paper is None else f"<small>({entry.paper:.2f})</small>"
    return entry_html(entry, paper)


def _notes(table: Table) -> str:
    return "".join(f"<p><small>{escape(note)}</small></p>" for note in notes(table.datasets))


def _dataset_sections(rows: Sequence[dict[str, Any]]) -> str:
    parts = []
    for name in dict.fromkeys(row["dataset"] for row in rows):
        for kind in FEATURES:
            mine = sorted(
                (row for row in rows if (row["dataset"], row["features"]) == (name, kind)),
                key=lambda row: list(METHODS).index(row["method"]),
            )
            words = f"{title(name)}, {kind} features"
            images = [
                figure_html(figures.paths(mine), f"{words}: the curves behind the choices"),
                figure_html(
                    figures.confusions(mine), f"{words}: confusion matrices, roots of shares"
                ),
            ]
            if any(images):
                parts.append(section(words, *images))
    return "".join(parts)


def _timings(rows: Sequence[dict[str, Any]]) -> str:
    image = figure_html(
        figures.timings([row for row in rows if row["features"] == rows[0]["features"]]),
        "Processor seconds of the fits, the search for parameters included (and, in the first "
        "online or boosted fit of a process, compilation)",
    )
    return section("Time", image) if image else ""


def _complexity(series: Sequence[dict[str, Any]]) -> str:
    if not series:
        return ""
    body = [
        [escape(each["title"]), each["axis"], f"{each['slope']:.2f}", escape(each["order"])]
        for each in series
    ]
    table = table_html(["method", "against", "fitted slope", "order of the count"], body)
    caption = "Seconds of one fit at fixed parameters"
    return section("Complexity", figure_html(figures.complexity(series), caption), table)


def _settings(rows: Sequence[dict[str, Any]]) -> str:
    body = []
    for row in rows:
        chosen = ", ".join(f"{name} {value:.4g}" for name, value in row.get("chosen", {}).items())
        body.append(
            [
                escape(title(row["dataset"])),
                row["features"],
                escape(METHODS[row["method"]].title),
                f"{row['fit_seconds']:.2f}" if "fit_seconds" in row else "",
                escape(row.get("error") or chosen),
                escape(row.get("source", "")),
            ]
        )
    heading = ["data", "features", "method", "fit, processor s", "chosen", "source"]
    lines = []
    for text in dict.fromkeys(_made_with(row) for row in rows):
        lines.append(f"<p><small>{escape(text)}</small></p>")
    return table_html(heading, body) + "".join(lines)


def _made_with(row: dict[str, Any]) -> str:
    made = row.get("environment", {})
    versions = ", ".join(f"{name} {number}" for name, number in made.get("versions", {}).items())
    protocol = ", ".join(f"{name} {value}" for name, value in row["protocol"].items())
    where = f"Python {made.get('python')}, {made.get('system')}, {made.get('cores')} cores"
    return f"{where}; {versions}. Protocol: {protocol}."
