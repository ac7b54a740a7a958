"""The work of `simplexcoding reproduce`: plan, run under a bar, tables and report."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.printing import Printer
from simplexcoding.cli.sources import check_folder, save
from simplexcoding.datasets import BUNDLED, CATALOGUE, DataError, load
from simplexcoding.datasets.sources import data_folder
from simplexcoding.experiments.cell import FEATURES, QUICK_FEATURES, Cell
from simplexcoding.experiments.complexity import as_rows, measure
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.protocol import QUICK, Protocol
from simplexcoding.experiments.report import report
from simplexcoding.experiments.runner import Run, plan
from simplexcoding.experiments.runner import reproduce as run_cells
from simplexcoding.experiments.table import Table, notes


class Request(NamedTuple):
    """What was asked for on the command line."""

    data: Path | None
    datasets: str | None
    methods: str | None
    features: str | None
    jobs: int
    quick: bool
    complexity: bool
    output: Path


def reproduce(request: Request, printer: Printer) -> None:
    """Run what is not done, then print and write the tables."""
    check_folder(request.output)
    output, quick = request.output, request.quick
    console = printer.console
    folder = None if request.data is None else str(request.data)
    # A folder that is not there is a mistake, also where no data set would be read from it.
    data_folder(folder)
    keys = _names(request.methods, METHODS)
    kinds = _names(request.features, FEATURES) or (QUICK_FEATURES if quick else FEATURES)
    names = _names(request.datasets, {**CATALOGUE, **BUNDLED})
    if names is None:
        names = list(BUNDLED) if quick else _at_hand(folder, printer)
    for name in names:
        # Better now than after hours, as a row that failed.
        load(name, folder)
    try:
        cells = plan(names, keys, kinds, QUICK if quick else Protocol())
        journal = Journal(output / "results.json")
    except ValueError as error:
        raise Complaint(str(error)) from None
    with stopped_cleanly():
        run(Run(cells, folder, request.jobs), journal, console)
        if request.complexity:
            _complexity(journal, names, folder, quick, console)
    wanted = [row for cell in cells if (row := journal.find(cell) or journal.last(cell))]
    tables = [table for kind in FEATURES if (table := Table.of(wanted, kind)).methods]
    for table in tables:
        show(table, printer)
    text = "\n\n".join(f"## {table.features} features\n\n{table.markdown()}" for table in tables)
    save(output / "tables.md", f"{text}\n".encode())
    page = output / "report.html"
    save(page, report(wanted, journal.complexity).encode())
    printer.line(f"Written: {journal.path}, {output / 'tables.md'}")
    printer.line(f"Report: {page}")
    printer.result({"rows": wanted, "results": journal.path, "report": page})


@contextmanager
def stopped_cleanly() -> Iterator[None]:
    """Let Ctrl-C and a request to end stop the workers, and tell how to go on."""

    def stop(number: int, _: Any) -> None:
        raise Complaint("stopped; the same command goes on from here.")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _names(text: str | None, known: Any) -> list[str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise Complaint(f"{name!r} is unknown; choose among {', '.join(known)}.")
    if not names:
        raise Complaint(f"{text!r} names nothing; choose among {', '.join(known)}.")
    return names


def _at_hand(folder: str | None, printer: Printer) -> list[str]:
    """The paper's sets that some source has; with a notice the bundled ones if none has any."""
    names = []
    for name in CATALOGUE:
        try:
            load(name, folder)
        except DataError as error:
            printer.line(f"Left out: {error}")
        else:
            names.append(name)
    if names:
        return names
    printer.line("None of the paper's data is at hand; the sets that scikit-learn carries follow.")
    return list(BUNDLED)


def run(wanted: Run, journal: Journal, console: Console) -> None:
    """Run the cells under a bar that tells what is running and how long is left."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=len(wanted.cells))

        def watch(event: str, cell: Cell, row: dict[str, Any] | None) -> None:
            words = f"{cell.dataset}, {cell.features}: {METHODS[cell.method].title}"
            if event == "started":
                bar.update(task, description=words)
                return
            bar.update(task, advance=1)
            if event == "done" and row is not None:
                outcome = row.get("error") or f"{row['accuracy']:.2f} %"
                console.print(f"{words}: {outcome}", markup=False)

        run_cells(wanted, journal, watch)


def _complexity(
    journal: Journal, names: list[str], folder: str | None, quick: bool, console: Console
) -> None:
    if journal.complexity:
        return
    name = "letter" if "letter" in names and not quick else "digits"
    rows, classes = (
        ([500, 1000, 2000, 4000], [2, 5, 10, 26])
        if name == "letter"
        else ([200, 400, 800], [2, 4, 10])
    )
    with console.status("Time against n and T") as status:
        series = measure(
            load(name, folder), rows, classes, watch=lambda text: status.update(f"Time: {text}")
        )
    journal.add_complexity(as_rows(series))


def show(table: Table, printer: Printer) -> None:
    """Print the table: ours, in brackets the paper's and the difference."""
    heading, *body = table.lines()
    title = f"Accuracy in per cent, {table.features} features (paper, difference)"
    printer.table(title, heading, body)
    for note in notes(table.datasets):
        printer.line(note)
