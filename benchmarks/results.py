"""Outcomes as data: one JSON file per problem, with when, where and with what it was measured."""

import json
import os
import platform
import re
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.fingerprints import fingerprint
from benchmarks.harness import Outcome, Problem, Row

FOLDER = Path(__file__).with_name("results")
# Those that every problem rests on, and peers where they are installed.
LIBRARIES = ("simplexcoding", "numpy", "scipy", "scikit-learn", "numba")
PEERS = ("aeon", "cleanlab", "mapie", "catboost", "lightgbm", "xgboost", "dask", "torch")


def record(outcome: Outcome, quick: bool, took: float | None = None) -> dict[str, Any]:
    """The JSON of an outcome; `took` are the seconds that all of it came to, data included."""
    problem = outcome.problem
    return {
        "problem": problem.name,
        "title": problem.title,
        "bar": problem.bar,
        "limit": _plain(problem.limit),
        "baseline": problem.baseline,
        "threads": problem.threads,
        "small_sizes": quick,
        "measured": environment(),
        "took": _plain(took),
        "source": fingerprint(problem.module),
        "skipped": outcome.skipped or None,
        "rows": [_row(row) for row in outcome.rows],
        "verdicts": [vars(verdict) for verdict in outcome.verdicts],
        "holds": outcome.holds,
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "label": row.label,
        "ours": row.ours,
        "seconds": _plain(row.seconds),
        "turns": [_plain(turn) for turn in row.turns],
        "ratio": _plain(row.ratio),
        "qualities": {key: _plain(value) for key, value in row.qualities.items()},
        "skipped": row.skipped or None,
    }


def _plain(value: Any) -> Any:
    """A value that JSON holds: no NumPy scalars, null for what is not finite."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        # Ten digits: more are noise, and a change of the last would be a change of the file.
        return float(f"{value:.10g}") if isfinite(value) else None
    return value if isinstance(value, bool | int | str | None) else str(value)


def write(folder: Path, found: dict[str, Any]) -> Path:
    """Write the results of a problem; a killed run leaves the old ones.

    So does a run that skipped the problem: a library or a data set that is absent here does not
    erase what was measured where it was present.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{found['problem']}.json"
    if found["skipped"] and path.exists() and not json.loads(path.read_text())["skipped"]:
        return path
    part = path.with_suffix(".part")
    part.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    part.replace(path)
    return path


def read(folder: Path) -> dict[str, dict[str, Any]]:
    """All results of a folder by the name of their problem."""
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    return {one["problem"]: one for one in found}


def differing(found: dict[str, Any], problem: Problem) -> list[str]:
    """What results say of their problem that today's problem does not."""
    fields = ("title", "bar", "limit", "baseline", "threads")
    return [name for name in fields if found[name] != _plain(getattr(problem, name))]


def is_current(found: dict[str, Any] | None, problem: Problem) -> bool:
    """Whether results were measured with today's code and of the problem of today."""
    return (
        found is not None
        and not found["small_sizes"]
        and found["source"] == fingerprint(problem.module)
        and not differing(found, problem)
    )


def environment() -> dict[str, Any]:
    """Date, machine and versions."""
    return {
        "date": str(date.today()),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": round(
            os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30,
        ),
        "python": platform.python_version(),
        "versions": _versions(),
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in (*LIBRARIES, *PEERS):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        found = re.search(r"model name\s*:\s*(.+)", cpuinfo.read_text())
        if found:
            return found[1].strip()
    return platform.processor() or platform.machine()
