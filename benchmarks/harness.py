"""Time the contenders of a problem side by side.

A problem is a function of `quick` that returns contenders; `@problem` puts it in PROBLEMS.
Each contender has one warm-up, then the contenders take turns, and the best turn counts.
"""

import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf, nan
from types import ModuleType
from typing import Any, cast

from threadpoolctl import threadpool_limits

from benchmarks import THREADS, pin_threads


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

    @property
    def module(self) -> str:
        """Where its contenders are written."""
        return cast(str, getattr(self.contenders, "func", self.contenders).__module__)


@dataclass
class Row:
    """What one contender came to: its turns in seconds, its qualities, a verdict on them."""

    label: str
    ours: bool
    turns: list[float] = field(default_factory=list)
    ratio: float = nan
    qualities: dict[str, object] = field(default_factory=dict)
    held: bool | None = None
    skipped: str = ""

    @property
    def seconds(self) -> float:
        """Of the best turn."""
        return min(self.turns, default=inf)


@dataclass(frozen=True)
class Verdict:
    """One thing that a bar asks for, of one contender."""

    label: str
    on: str
    holds: bool


@dataclass(frozen=True)
class Outcome:
    """The rows and verdicts of a problem, or why there are none."""

    problem: Problem
    rows: list[Row]
    verdicts: list[Verdict]
    skipped: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether the whole bar does; None when it was not measured."""
        return all(verdict.holds for verdict in self.verdicts) if self.verdicts else None


PROBLEMS: dict[str, Problem] = {}
_of_subprocesses = THREADS


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
    """Run every contender of a problem with the threads pinned, those of subprocesses too."""
    with _threads(problem.threads):
        try:
            contenders = problem.contenders(quick)
        except Skip as reason:
            return Outcome(problem, [], [], str(reason))
        rows = _race(contenders, 0 if quick else problem.repeat)
    base = next((row.seconds for row in rows if row.label == problem.baseline), inf)
    for row in rows:
        if not row.skipped and base < inf:
            row.ratio = row.seconds / base
    return Outcome(problem, rows, _verdicts(problem, rows))


@contextmanager
def _threads(threads: int) -> Iterator[None]:
    """The threads of BLAS, of Numba and of subprocesses."""
    global _of_subprocesses
    numba = importlib.import_module("numba")
    most, _of_subprocesses = numba.get_num_threads(), threads
    numba.set_num_threads(min(threads, numba.config.NUMBA_NUM_THREADS))
    try:
        with threadpool_limits(threads):
            yield
    finally:
        numba.set_num_threads(most)
        _of_subprocesses = THREADS


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
                row.skipped = str(reason)
                continue
            if turn == 0 and repeat:  # warm-up: caches, compilation
                continue
            row.turns.append(seconds)
            if turn == repeat and contender.notes is not None:
                row.qualities = dict(contender.notes(result))
                row.held = cast(bool | None, row.qualities.pop("held", None))
    return rows


def _clock(run: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = run()
    seconds = time.perf_counter() - start
    if isinstance(result, Timed):
        return result.seconds, result.result
    return seconds, result


def _verdicts(problem: Problem, rows: list[Row]) -> list[Verdict]:
    """What the bar asks for: the time of ours, and the quality of any that judges its own.

    None where one of ours, or the baseline, was not measured: half a bar is no verdict.
    """
    found = [Verdict(row.label, "quality", row.held) for row in rows if row.held is not None]
    if problem.limit == inf:
        return found
    judged = [row for row in rows if row.ours and row.label != problem.baseline]
    if not judged or any(row.ratio != row.ratio for row in judged):
        return []
    return [Verdict(row.label, "time", row.ratio <= problem.limit) for row in judged] + found


def fresh(code: str) -> str:
    """Last line printed by `code` in a fresh interpreter."""
    environment = dict(os.environ)
    pin_threads(environment, _of_subprocesses)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
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
