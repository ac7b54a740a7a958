"""The page of the reproduction, rendered: text by hand, figures from a results file.

A page holds marks `<!-- NAME -->` and `<!-- end NAME -->`; what stands between them is written
by `render`, so a figure cannot be changed by hand without a test that says so.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

from simplexcoding.datasets import CATALOGUE
from simplexcoding.experiments.cell import FEATURES
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.plain_online import ITERATES
from simplexcoding.experiments.published import COLUMNS, OWN_FEATURES, PUBLISHED, published
from simplexcoding.experiments.table import Entry, Table, title

Results = dict[str, Any]


def render(page: str, results: Results) -> str:
    """The page with everything between its marks written anew.

    Parameters
    ----------
    page : str
    results : dict, the `figures` of a Journal

    Examples
    --------
    >>> print(render("<!-- paper -->old<!-- end paper -->", {"rows": []}).splitlines()[2][:29])
    | method | Landsat | Optdigit
    """

    def block(found: re.Match[str]) -> str:
        name = found[1]
        if name not in _PARTS:
            raise ValueError(f"mark {name!r} is unknown; choose among {', '.join(_PARTS)}.")
        return f"<!-- {name} -->\n\n{_PARTS[name](results)}\n\n<!-- end {name} -->"

    return re.sub(r"<!-- ([\w ]+) -->.*?<!-- end \1 -->", block, page, flags=re.DOTALL)


def _markdown(heading: Iterable[str], body: Iterable[Iterable[str]], left: int = 1) -> str:
    heading = list(heading)
    rule = [*("---" for _ in heading[:left]), *("---:" for _ in heading[left:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in [heading, rule, *body])


def _paper(results: Results) -> str:
    marks = {name: " †" if name in OWN_FEATURES else "" for name in COLUMNS}
    heading = ["method", *(text + marks[name] for name, text in COLUMNS.items())]
    body = [
        [METHODS[key].title, *(f"{row[name]:.2f}" if name in row else "-" for name in COLUMNS)]
        for key, row in PUBLISHED.items()
    ]
    return _markdown(heading, body)


def _table(features: str) -> Callable[[Results], str]:
    return lambda results: Table.of(results["rows"], features).markdown()


def _summary(results: Results) -> str:
    """Ours and in brackets the paper's, raw features, where both had the same ones."""
    table = Table.of(results["rows"], "raw")
    names = [name for name in COLUMNS if name not in OWN_FEATURES]
    heading = ["method", *(COLUMNS[name] for name in names)]
    body = [
        [METHODS[method].title, *(_short(table.entry(method, name)) for name in names)]
        for method in _SUMMARY
        if method in table.methods
    ]
    return _markdown(heading, body)


def _short(entry: Entry) -> str:
    ours = "-" if entry.ours is None else f"{entry.ours:.1f}"
    return ours if entry.paper is None else f"{ours} ({entry.paper:.1f})"


def _below(results: Results) -> str:
    """Cells more than a point below the paper."""
    lines = []
    for kind in FEATURES:
        table = Table.of(results["rows"], kind)
        for method in table.methods:
            low = {
                title(name): entry
                for name in table.datasets
                if (entry := table.entry(method, name)).difference is not None
                and entry.difference < -1
            }
            cells = ", ".join(f"{name} {entry}" for name, entry in low.items())
            if cells:
                lines.append(f"- {METHODS[method].title}, {kind} features: {cells}")
    return "\n".join(lines) or "None."


def _missing(results: Results) -> str:
    """Cells of the plan that have not been run, by method and kind of features."""
    done = {(row["method"], row["features"], row["dataset"]) for row in results["rows"]}
    lines = []
    for key, method in METHODS.items():
        for kind in FEATURES:
            names = [title(name) for name in CATALOGUE if (key, kind, name) not in done]
            everywhere = "all sets" if len(names) == len(CATALOGUE) else ", ".join(names)
            if names:
                lines.append(f"- {method.title}, {kind} features: {everywhere}")
    return "\n".join(lines) or "None."


def _grid(results: Results) -> str:
    """The plain rule: what each range of lambda and iterate gives, passes by the hold-out."""
    rows = {
        (row["method"], row["features"], row["dataset"]): row["grid"]
        for row in results["rows"]
        if "grid" in row
    }
    names = [name for name in COLUMNS if any(key[2] == name for key in rows)]
    heading = ["method", "features", "lambda", "iterate", *(title(name) for name in names)]
    body = []
    for method in dict.fromkeys(key[0] for key in rows):
        known = [published(method, name) for name in names]
        figures = ["" if each is None else f"{each:.2f}" for each in known]
        body.append([METHODS[method].title, "the paper", "", "", *figures])
        for features in ("raw", "standardised"):
            for kind in ("eigenvalues", "powers"):
                for iterate in ITERATES:
                    cells = [
                        _best(rows.get((method, features, name), []), kind, iterate)
                        for name in names
                    ]
                    body.append(["", features, kind, iterate, *cells])
    return _markdown(heading, body, left=4)


def _best(grid: list[dict[str, Any]], kind: str, iterate: str) -> str:
    """Test accuracy at the number of passes that the held-out rows choose, in brackets."""
    mine = [line for line in grid if (line["range"], line["iterate"]) == (kind, iterate)]
    if not mine:
        return ""
    best = max(mine, key=lambda line: (line["held_out"], -line["passes"]))
    return f"{best['accuracy']:.2f} ({best['passes']})"


def _made(results: Results) -> str:
    """Dates, versions and machines of the rows, each once, and which code made which cells."""
    rows = results["rows"]
    lines = dict.fromkeys(_environment(row) for row in rows)
    return "\n".join([_count(rows), "", *(f"- {line}" for line in lines), "", *_origins(rows)])


def _count(rows: list[dict[str, Any]]) -> str:
    days = sorted(row["finished"][:10] for row in rows)
    if not days:
        return "0 cells, run never."
    span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    return f"{len(rows)} cell{'s' if len(rows) > 1 else ''}, run {span}."


def _origins(rows: list[dict[str, Any]]) -> list[str]:
    """One line for each mark of the code, the newest first, with the cells that bear it."""
    by_mark: dict[str | None, list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: str(row["finished"]), reverse=True):
        by_mark.setdefault(row["environment"].get("source"), []).append(row)
    # Last, whatever their day: which code made them cannot be told.
    unmarked = by_mark.pop(None, None)
    lines = [f"- By code `{mark}`: {_bearers(some, rows)}" for mark, some in by_mark.items()]
    if unmarked is not None:
        lines.append(f"- {_UNMARKED}: {_bearers(unmarked, rows)}")
    return lines


_UNMARKED = "By code of the version above that left no mark: it was not kept then"


def _bearers(some: list[dict[str, Any]], rows: list[dict[str, Any]]) -> str:
    """Their number and days, and their names where they are not all: whole methods by one."""
    if len(some) == len(rows):
        return f"all {_count(some)}"
    names = []
    for key, method in METHODS.items():
        mine = [row for row in some if row["method"] == key]
        if mine and len(mine) == sum(row["method"] == key for row in rows):
            names.append(method.title)
        elif mine:
            cells = sorted(f"{title(row['dataset'])} {row['features']}" for row in mine)
            names.append(f"{method.title} ({', '.join(cells)})")
    return f"{_count(some)} {'; '.join(names)}"


def _environment(row: dict[str, Any]) -> str:
    made = row["environment"]
    versions = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    return f"Python {made['python']}, {made['system']}, {made['cores']} cores; {versions}"


def _times(results: Results) -> str:
    """Seconds of fits along n and T, with slopes and orders."""
    body = [
        [
            each["title"],
            each["axis"],
            f"{each['slope']:.1f}",
            each["order"],
            each.get("paper") or "-",
            ", ".join(f"{value:.2g}" for value in each["seconds"]),
        ]
        for each in results.get("complexity", [])
    ]
    heading = ["method", "against", "slope", "order of the count", "the paper", "seconds"]
    if not body:
        return "Not measured yet."
    image = "![Seconds of a fit against rows and against classes](figures/complexity.png)"
    return f"{_markdown(heading, body, left=2)}\n\n{image}"


_SUMMARY = (
    "ls_linear",
    "ls_rbf",
    "ls_online",
    "sh_online",
    "sc_online",
    "sc_plain",
    "boosting",
    "sc_rbf",
    "ova_linear",
    "ova_rbf",
)
_PARTS: dict[str, Callable[[Results], str]] = {
    "paper": _paper,
    "raw": _table("raw"),
    "standardised": _table("standardised"),
    "summary": _summary,
    "below": _below,
    "missing": _missing,
    "grid": _grid,
    "times": _times,
    "made": _made,
}
