"""Outcomes as Markdown: one section a problem, each with the machine it was measured on."""

import os
import platform
import re
from datetime import date
from importlib.metadata import version
from pathlib import Path

from benchmarks import THREADS
from benchmarks.harness import Outcome, Row

OPENING = """# Benchmarks

Written by `make bench`; `make bench ONLY=name` rewrites one section. Times are the best of several
turns, in seconds, after a warm-up; a ratio below one is faster than the baseline.
"""
LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "simplexcoding")


def section(outcome: Outcome, quick: bool) -> str:
    """The section of one problem, without its heading."""
    problem = outcome.problem
    lines = [f"{problem.title}.", "", f"Bar: {problem.bar}. {_verdict(outcome, quick)}", ""]
    if outcome.rows:
        lines += ["| library | best, s | ratio | notes |", "|---|---:|---:|---|"]
        lines += [_line(row, problem.baseline) for row in outcome.rows]
        lines += [""]
    size = "Small sizes. " if quick else ""
    return "\n".join([*lines, f"{size}{environment()}"])


def _verdict(outcome: Outcome, quick: bool) -> str:
    if outcome.skipped:
        return f"skipped: {outcome.skipped}"
    if quick:
        return "Not judged on small sizes."
    return {True: "It holds.", False: "**It does not hold.**", None: "Not judged."}[outcome.holds]


def _line(row: Row, baseline: str) -> str:
    name = f"{row.label} (baseline)" if row.label == baseline else row.label
    if row.skipped:
        return f"| {name} | | | {row.notes} |"
    verdict = {None: "", True: ", bar held", False: ", **bar missed**"}[row.held]
    return f"| {name} | {row.seconds:.3g} | {row.ratio:.2f} | {row.notes}{verdict} |"


def environment() -> str:
    """Date, machine and versions in one sentence."""
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return (
        f"Measured on {date.today()}: {_processor()}, {os.cpu_count()} cores, {_memory()} memory, "
        f"at most {THREADS} threads; Python {platform.python_version()}, {versions}."
    )


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"model name\s*:\s*(.+)", cpuinfo.read_text())
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{total / 2**30:.0f} GiB"


def update(path: Path, new: dict[str, str], order: list[str]) -> None:
    """Put new sections in the file, keeping the others; problems that are gone are dropped."""
    old = re.split(r"^## (\w+)\n", path.read_text(), flags=re.M)[1:] if path.exists() else []
    kept = dict(zip(old[::2], old[1::2], strict=True)) | new
    parts = [f"## {name}\n\n{kept[name].strip()}\n" for name in order if name in kept]
    path.write_text("\n".join([OPENING, *parts]))
