"""The page of results, rendered from their JSON: nothing on it is written by hand."""

from collections.abc import Mapping
from typing import Any

OPENING = """# Benchmarks

Rendered from the files in `benchmarks/results/` by `python -m benchmarks --render`; `make bench`
measures and writes them, `make bench ONLY=name` those of one problem. Times are the best of several
turns, in seconds, after a warm-up; a ratio below one is faster than the baseline. A bar holds when
all that it names does, the time and the quality. `python -m benchmarks --list` says which problems
have results, and whether of today's code.
"""


def page(found: Mapping[str, dict[str, Any]]) -> str:
    """Sections of all problems that have results, by name."""
    parts = [f"## {name}\n\n{section(one)}\n" for name, one in sorted(found.items())]
    return "\n".join([OPENING, *parts])


def section(one: dict[str, Any]) -> str:
    """The section of one problem, without its heading."""
    lines = [f"{one['title']}.", "", f"Bar: {one['bar']}. {_verdict(one)}", ""]
    if one["rows"]:
        lines += ["| library | best, s | ratio | notes |", "|---|---:|---:|---|"]
        lines += [_line(row, one) for row in one["rows"]]
        lines += [""]
    return "\n".join([*lines, _environment(one)])


def _verdict(one: dict[str, Any]) -> str:
    if one["skipped"]:
        return f"Not measured: {one['skipped']}."
    if one["small_sizes"]:
        return "Not judged on small sizes."
    if one["holds"] is None:
        return "Not judged."
    if one["holds"]:
        return "It holds."
    missed = [f"{v['on']} of {v['label']}" for v in one["verdicts"] if not v["holds"]]
    return f"**It does not hold**: {', '.join(missed)}."


def _line(row: dict[str, Any], one: dict[str, Any]) -> str:
    name = f"{row['label']} (baseline)" if row["label"] == one["baseline"] else row["label"]
    if row["skipped"]:
        return f"| {name} | | | skipped: {row['skipped']} |"
    notes = [f"{key} {_short(value)}" for key, value in row["qualities"].items()]
    judged = {v["on"]: v["holds"] for v in one["verdicts"] if v["label"] == row["label"]}
    if "quality" in judged and not one["small_sizes"]:
        notes.append("bar held" if judged["quality"] else "**bar missed**")
    ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    return f"| {name} | {row['seconds']:.3g} | {ratio} | {', '.join(notes)} |"


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _environment(one: dict[str, Any]) -> str:
    """Date, machine, threads and versions in one sentence."""
    measured, threads = one["measured"], one["threads"]
    versions = ", ".join(f"{name} {number}" for name, number in measured["versions"].items())
    before = "Small sizes. " if one["small_sizes"] else ""
    if not one["source"]:
        before += "By an earlier version of the harness, which kept no mark of the code. "
    before += f"{one['note']}. " if one.get("note") else ""
    return (
        f"{before}Measured on {measured['date']}: {measured['processor']}, "
        f"{measured['cores']} cores, {measured['memory_gib']} GiB memory, "
        f"{threads} thread{'s' if threads > 1 else ''}; "
        f"Python {measured['python']}, {versions}."
    )
