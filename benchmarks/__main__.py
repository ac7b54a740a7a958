"""Measure problems and render their page.

python -m benchmarks                    all problems, one process each
python -m benchmarks --only NAME ...    some of them, or a group such as heads
python -m benchmarks --resume           those without results of today's code
python -m benchmarks --quick            small sizes, printed and not kept
python -m benchmarks --render           the page from the results there are
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import pin_threads

if __name__ == "__main__":
    pin_threads(os.environ)  # Before any library that reads them is imported.

import benchmarks.problems  # noqa: F401  fills PROBLEMS
from benchmarks import data, report, results
from benchmarks.harness import PROBLEMS, measure

PAGE = Path(__file__).with_name("results.md")


def main(arguments: list[str] | None = None) -> None:
    options = _options(arguments)
    kept = results.read(options.folder)
    if options.list:
        for problem in PROBLEMS.values():
            print(f"{problem.name:26} {_state(problem.name, kept):40} {problem.title}")
        print(_summary(kept))
        return
    if options.render:
        _render(options.folder, options.page)
        return
    names = options.only
    if options.resume:
        names = [n for n in names if not results.is_current(kept.get(n), PROBLEMS[n])]
    if len(names) > 1 and not options.quick:
        # A process each: no problem warms, fills or crashes another.
        failed = [name for name in names if not _apart(name, options)]
        if failed:
            sys.exit(f"failed: {', '.join(failed)}; the others are kept, --resume takes up here.")
        return
    data.allow_stand_ins(options.quick)
    for name in names:
        start = perf_counter()
        outcome = measure(PROBLEMS[name], options.quick)
        found = results.record(outcome, options.quick, perf_counter() - start)
        print(f"## {name}\n\n{report.section(found)}\n", flush=True)
        if not options.quick:
            results.write(options.folder, found)
            _render(options.folder, options.page)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", nargs="+", type=_named, metavar="NAME", default=[[*PROBLEMS]])
    parser.add_argument("--list", action="store_true", help="list the problems and their results")
    parser.add_argument("--quick", action="store_true", help="small sizes, one turn, nothing kept")
    parser.add_argument("--resume", action="store_true", help="leave out what is measured")
    parser.add_argument("--render", action="store_true", help="write the page and stop")
    parser.add_argument("--folder", type=Path, default=results.FOLDER, help="of the results")
    parser.add_argument("--page", type=Path, default=PAGE, help="file of the page")
    parsed = parser.parse_args(arguments)
    parsed.only = [name for names in parsed.only for name in names]
    return parsed


def _named(name: str) -> list[str]:
    """The problem of this name, or all of a group: heads means heads_letter and so on."""
    found = [known for known in PROBLEMS if known == name or known.startswith(f"{name}_")]
    if not found:
        raise argparse.ArgumentTypeError(f"no problem is called {name}; --list lists them")
    return [name] if name in PROBLEMS else found


def _apart(name: str, options: argparse.Namespace) -> bool:
    command = [sys.executable, "-m", "benchmarks", "--only", name]
    command += ["--folder", str(options.folder), "--page", str(options.page)]
    return subprocess.run(command, check=False).returncode == 0


def _render(folder: Path, page: Path) -> None:
    page.write_text(report.page(results.read(folder)))


def _state(name: str, kept: dict[str, dict[str, object]]) -> str:
    if name not in kept:
        return "no results"
    measured = kept[name]["measured"]
    current = results.is_current(kept[name], PROBLEMS[name])
    said = [str(measured["date"])]  # type: ignore[index]
    said += [] if current else ["older code"]
    said += [f"{name} differs" for name in results.differing(kept[name], PROBLEMS[name])]
    return ", ".join(said)


def _summary(kept: dict[str, dict[str, Any]]) -> str:
    """How many problems have results, and how long those that are due took the last time."""
    due = [name for name in PROBLEMS if not results.is_current(kept.get(name), PROBLEMS[name])]
    older = [kept[name] for name in due if name in kept]
    known = [float(found["took"]) for found in older if found.get("took") is not None]
    said = (
        f"{len(PROBLEMS)} problems: {len(PROBLEMS) - len(due)} current, {len(older)} of older code "
        f"or another bar, {len(due) - len(older)} without results."
    )
    if known:
        said += f" {len(known)} of those due took {sum(known) / 60:.0f} min when last measured"
        unknown = len(due) - len(known)
        said += f"; of {unknown} no time is kept." if unknown else "."
    elif due:
        said += f" Of the {len(due)} due no time is kept."
    return said


if __name__ == "__main__":
    main()
