"""simplexcoding reproduce: the paper's table, ours beside the published figures."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.tables import save
from simplexcoding.datasets import BUNDLED, CATALOGUE, DataError, load
from simplexcoding.experiments.cell import FEATURES, QUICK_FEATURES, Cell
from simplexcoding.experiments.complexity import as_rows, measure
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.protocol import QUICK, Protocol
from simplexcoding.experiments.report import report
from simplexcoding.experiments.runner import Run, plan
from simplexcoding.experiments.runner import reproduce as run_cells
from simplexcoding.experiments.table import Table, notes

Names = Annotated[str | None, typer.Option(help="Names, parted by commas.")]


def reproduce(
    data: Annotated[
        Path | None, typer.Option(help="Folder of .npz files, else SIMPLEXCODING_DATA.")
    ] = None,
    datasets: Names = None,
    methods: Names = None,
    features: Names = None,
    jobs: Annotated[int, typer.Option(help="Cells to run at once.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="Bundled data, under a minute.")] = False,
    complexity: Annotated[bool, typer.Option(help="Measure time against n and T too.")] = True,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to fill.")] = Path(
        "reproduction"
    ),
) -> None:
    """Compute the paper's table; an interrupted run goes on where it stopped.

    Example: simplexcoding reproduce --data ../data --datasets landsat,optdigit --jobs 2
    """
    console = Console(highlight=False, soft_wrap=True)
    folder = None if data is None else str(data)
    keys = _names(methods, METHODS)
    kinds = _names(features, FEATURES) or (QUICK_FEATURES if quick else FEATURES)
    names = _names(datasets, {**CATALOGUE, **BUNDLED})
    if names is None:
        names = list(BUNDLED) if quick else _at_hand(folder, console)
    for name in names:
        # Better now than after hours, as a row that failed.
        load(name, folder)
    try:
        cells = plan(names, keys, kinds, QUICK if quick else Protocol())
        journal = Journal(output / "results.json")
    except ValueError as error:
        raise Complaint(str(error)) from None
    run(Run(cells, folder, jobs), journal.path, console)
    if complexity:
        _complexity(Journal(journal.path), names, folder, quick, console)
    journal = Journal(journal.path)
    wanted = [row for cell in cells if (row := journal.find(cell) or journal.last(cell))]
    tables = [table for kind in FEATURES if (table := Table.of(wanted, kind)).methods]
    for table in tables:
        show(table, console)
    text = "\n\n".join(f"## {table.features} features\n\n{table.markdown()}" for table in tables)
    save(output / "tables.md", f"{text}\n".encode())
    page = output / "report.html"
    save(page, report(wanted, journal.complexity).encode())
    written = f"Written: {journal.path}, {output / 'tables.md'}"
    console.print(f"{written}\nReport: {page}", markup=False)


def _names(text: str | None, known: Any) -> list[str] | None:
    if text is None:
        return None
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in known:
            raise Complaint(f"{name!r} is unknown; choose among {', '.join(known)}.")
    return names


def _at_hand(folder: str | None, console: Console) -> list[str]:
    """The paper's sets that some source has; with a notice the bundled ones if none has any."""
    names = []
    for name in CATALOGUE:
        try:
            load(name, folder)
        except DataError as error:
            console.print(f"Left out: {error}", markup=False)
        else:
            names.append(name)
    if names:
        return names
    console.print("None of the paper's data is at hand; the sets that scikit-learn carries follow.")
    return list(BUNDLED)


def run(wanted: Run, results: Path, console: Console) -> None:
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

        run_cells(wanted, results, watch)


def _complexity(
    journal: Journal, names: list[str], folder: str | None, quick: bool, console: Console
) -> None:
    if journal.complexity:
        return
    name = "letter" if "letter" in names and not quick else "digits"
    rows, classes = (
        ([1000, 2000, 4000, 8000], [2, 5, 10, 26])
        if name == "letter"
        else ([200, 400, 800], [2, 4, 10])
    )
    with console.status("Time against n and T") as status:
        series = measure(
            load(name, folder), rows, classes, watch=lambda text: status.update(f"Time: {text}")
        )
    journal.add_complexity(as_rows(series))


def show(table: Table, console: Console) -> None:
    """Print the table: ours, in brackets the paper's and the difference."""
    heading, *body = table.lines()
    printed = RichTable(
        title=f"Accuracy in per cent, {table.features} features (paper, difference)"
    )
    for name in heading:
        printed.add_column(name)
    for line in body:
        printed.add_row(*line)
    console.print(printed)
    for note in notes(table.datasets):
        console.print(note, markup=False)
