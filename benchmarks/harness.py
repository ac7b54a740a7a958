"""Time the contenders of a problem side by side.

A problem is a function of `quick` that returns contenders; `@problem` puts it in PROBLEMS.
Each contender has one warm-up, then the contenders take turns, and the best turn counts.
"""

import importlib
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from types import ModuleType
from typing import Any, cast

from threadpoolctl import threadpool_limits


class Skip(Exception):
    """Why a problem or a contender cannot run here."""


@dataclass(frozen=True)
class Contender:
    """A label and what it runs; `notes` reads the last result, outside the clock.

    The limit on time is held against the contenders that are `ours`. A note "held", True or
    False, is a verdict on quality, whose contender it is does not matter.
    """

    label: str
    run: Callable[[], Any]
    notes: Callable[[Any], dict[str, object]] | None = None
    ours: bool = False


@dataclass(frozen=True)
class Timed:
    """The answer of a run that holds its own clock, such as a subprocess."""

    seconds: float
    result: Any = None


@dataclass(frozen=True)
class Problem:
    """Contenders, the label of their baseline, and the largest ratio allowed to ours.

    `repeat` 0 takes the first turn, with no warm-up, for runs of minutes.
    """

    name: str
    title: str
    bar: str
    limit: float
    baseline: str
    repeat: int
    contenders: Callable[[bool], list[Contender]]
    threads: int = 1


@dataclass
class Row:
    label: str
    ours: bool
    seconds: float = inf
    ratio: float = nan
    notes: str = ""
    skipped: bool = False
    held: bool | None = None


@dataclass(frozen=True)
class Outcome:
    """The rows of a problem, or why there are none; `holds` is None when it was not measured."""

    problem: Problem
    rows: list[Row]
    holds: bool | None
    skipped: str = ""


PROBLEMS: dict[str, Problem] = {}


def problem(
    title: str, bar: str, limit: float, baseline: str, repeat: int = 5, threads: int = 1
) -> Callable[[Callable[[bool], list[Contender]]], Callable[[bool], list[Contender]]]:
    """Register a function of `quick` as the problem of its name."""

    def register(contenders: Callable[[bool], list[Contender]]) -> Any:
        name = contenders.__name__
        PROBLEMS[name] = Problem(name, title, bar, limit, baseline, repeat, contenders, threads)
        return contenders

    return register


def require(module: str) -> ModuleType:
    """Import a peer, or skip what needs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Skip(f"{module} is not installed") from error


def measure(problem: Problem, quick: bool) -> Outcome:
    """Run every contender of a problem with the threads pinned."""
    with threadpool_limits(problem.threads):
        try:
            contenders = problem.contenders(quick)
        except Skip as reason:
            return Outcome(problem, [], None, str(reason))
        rows = _race(contenders, 0 if quick else problem.repeat)
    base = next(row.seconds for row in rows if row.label == problem.baseline)
    for row in rows:
        if not row.skipped and base < inf:
            row.ratio = row.seconds / base
    return Outcome(problem, rows, _holds(problem, rows))


def _race(contenders: list[Contender], repeat: int) -> list[Row]:
    rows = [Row(contender.label, contender.ours) for contender in contenders]
    running = list(zip(contenders, rows, strict=True))
    for turn in range(repeat + 1):
        for contender, row in running:
            if row.skipped:
                continue
            try:
                seconds, result = _clock(contender.run)
            except Skip as reason:
                row.skipped, row.notes = True, f"skipped: {reason}"
                continue
            if turn == 0 and repeat:  # warm-up: caches, compilation
                continue
            row.seconds = min(row.seconds, seconds)
            if turn == repeat and contender.notes is not None:
                notes = dict(contender.notes(result))
                row.held = cast(bool | None, notes.pop("held", None))
                row.notes = ", ".join(f"{key} {_short(value)}" for key, value in notes.items())
    return rows


def _clock(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = run()
    seconds = time.perf_counter() - start
    if isinstance(result, Timed):
        return result.seconds, result.result
    return seconds, result


def _holds(problem: Problem, rows: list[Row]) -> bool | None:
    verdicts = [row.held for row in rows if row.held is not None]
    if problem.limit < inf:
        judged = [row for row in rows if row.ours and row.label != problem.baseline]
        if not judged or any(row.ratio != row.ratio for row in judged):
            return None
        verdicts += [row.ratio <= problem.limit for row in judged]
    return all(verdicts) if verdicts else None


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def fresh(code: str) -> str:
    """Last line printed by `code` in a fresh interpreter."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout.strip().splitlines()[-1]


# The resource module would count the parent's peak too; the kernel's own mark starts at exec.
_PEAK = """
try:
    status = open("/proc/self/status").read()
except FileNotFoundError:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)
else:
    print(int(status.split("VmHWM:")[1].split()[0]) / 2**10)
"""


def peak_memory(code: str) -> float:
    """Peak resident memory, in MiB, of a fresh interpreter that runs `code`."""
    return float(fresh(code + "\n" + _PEAK))
