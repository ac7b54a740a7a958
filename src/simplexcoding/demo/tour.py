"""The tour itself: tell the story, run the table, write the report, name it."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from simplexcoding.atomic import write_atomically
from simplexcoding.datasets import BUNDLED, load
from simplexcoding.demo.paper import PAPER, datasets, table
from simplexcoding.demo.report import report
from simplexcoding.demo.story import choice, tell
from simplexcoding.experiments.journal import environment
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.table import Entry, Table, title


def main(argv: Sequence[str] | None = None) -> int:
    """Print what is found as it is found, and write `results.json` and `report.html`.

    Parameters
    ----------
    argv : sequence of str, default the command line
        `--output FOLDER`, default demo_output, is made if it is not there; `--datasets`
        are those of the table.

    Returns
    -------
    int, the exit status 0
    """
    parser = argparse.ArgumentParser(prog="python -m simplexcoding.demo", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo_output"), help="folder to fill")
    parser.add_argument("--datasets", nargs="+", choices=[*PAPER, *BUNDLED], help="of the table")
    options = parser.parse_args(argv)
    folder: Path = options.output
    start = perf_counter()
    _say("Handwritten digits: one fit, and what comes with it")
    story = tell(load("digits"))
    _say(f"  chosen: {', '.join(f'{name} {value}' for name, value in choice(story.model).items())}")
    _say(f"  right: {100 * story.left_out:.1f} % left out, {100 * story.test:.1f} % on new rows")
    for each in story.sets:
        _say(
            f"  sets at {100 * each.asked:g} %: {100 * each.found:.1f} % hold the label, "
            f"{each.size:.2f} labels each"
        )
    _say(f"  {story.n_contradicted} labels look wrong")
    _say(f"  a row forgotten: {story.forgotten.difference:.0e} from a fit without it")
    _say("The paper's table, by the methods that are quick")
    names = options.datasets or datasets(_say)
    found = table(names, folder / "results.json", _say)
    page = folder / "report.html"
    made = environment()
    versions = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    words = (
        f"Made by simplexcoding demo in {perf_counter() - start:.0f} seconds; Python "
        f"{made['python']}, {versions}, {made['cores']} cores."
    )
    write_atomically(page, report(story, found, words).encode())
    for line in lines(found):
        _say(line)
    _say(f"Report: {page}")
    return 0


def lines(table: Table) -> list[str]:
    """The table for a terminal of 80 columns: ours, in brackets the paper's."""
    rows = [["method, accuracy (paper)", *(title(name) for name in table.datasets)]]
    for key in table.methods:
        entries = (table.entry(key, name) for name in table.datasets)
        rows.append([METHODS[key].title, *(_cell(entry) for entry in entries)])
    return ["  " + f"{name:<26}" + "".join(f"{text:<13}" for text in rest) for name, *rest in rows]


def _cell(entry: Entry) -> str:
    if entry.error or entry.ours is None:
        return "failed" if entry.error else "not run"
    return f"{entry.ours:.1f}" + ("" if entry.paper is None else f" ({entry.paper:.1f})")


def _say(text: str) -> None:
    print(text, flush=True, file=sys.stdout)
