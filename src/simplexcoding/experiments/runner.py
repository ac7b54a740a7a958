"""The run: every cell that is not done yet, cheap ones first, each written as it ends."""

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from simplexcoding.datasets.checks import known_fingerprints
from simplexcoding.experiments.cell import FEATURES, Cell, run_cell
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.methods import METHODS, available_methods
from simplexcoding.experiments.protocol import Protocol
from simplexcoding.experiments.workers import outcomes

Watch = Callable[[str, Cell, dict[str, Any] | None], None]


class Run(NamedTuple):
    """What a run covers.

    Parameters
    ----------
    cells : list of Cell
    folder : str, default=None, of data files
    jobs : int, default=1, processes
    """

    cells: list[Cell]
    folder: str | None = None
    jobs: int = 1


def plan(
    datasets: Sequence[str],
    methods: Iterable[str] | None = None,
    features: Sequence[str] = FEATURES,
    protocol: Protocol | None = None,
) -> list[Cell]:
    """Cells to run, cheap ones first.

    Parameters
    ----------
    datasets : sequence of str
    methods : iterable of str, default every method that is available
    features : sequence of "raw" and "standardised", default=FEATURES
    protocol : Protocol, default=None

    Returns
    -------
    list of Cell
    """
    keys = list(available_methods() if methods is None else methods)
    for key in keys:
        if key not in METHODS or not METHODS[key].available:
            known = ", ".join(available_methods())
            raise ValueError(f"{key!r} is no method; choose among {known}.")
    cells = [
        Cell(name, kind, key, protocol or Protocol())
        for name in datasets
        for kind in features
        for key in keys
    ]
    return sorted(cells, key=_cost)


def _cost(cell: Cell) -> tuple[float, ...]:
    """Rough order of cost: rows squared where there is a kernel, table size elsewhere."""
    print_ = known_fingerprints()[cell.dataset]
    (n, p), T = print_.shapes[0], len(print_.counts[0])
    return (float(n) ** 2 * 100 if METHODS[cell.method].kernel else float(n) * p * T,)


def reproduce(run: Run, journal: Journal, watch: Watch | None = None) -> Journal:
    """Run the cells that are not done and write each as it ends.

    Parameters
    ----------
    run : Run
    journal : Journal
        Cells that are in it are not run again; the others are added.
    watch : function of ("kept" | "started" | "done", cell, row), default=None

    Returns
    -------
    Journal, the one given

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from simplexcoding.experiments.protocol import QUICK
    >>> with TemporaryDirectory() as folder:
    ...     cells = plan(["iris"], ["ls_linear"], ["raw"], QUICK)
    ...     journal = reproduce(Run(cells), Journal(Path(folder) / "results.json"))
    >>> journal.rows[0]["accuracy"] > 70
    True
    """
    tell: Watch = watch or (lambda *_: None)
    left = []
    for cell in run.cells:
        row = journal.find(cell)
        if row is None:
            left.append(cell)
        else:
            tell("kept", cell, row)
    # Closed whatever happens here, so that no worker goes on.
    with closing(_outcomes(left, run, tell)) as done:
        for cell, row in done:
            journal.add(cell, row)
            tell("done", cell, row)
    return journal


def _outcomes(
    cells: list[Cell], run: Run, tell: Watch
) -> Generator[tuple[Cell, dict[str, Any]], None, None]:
    if run.jobs == 1:
        for cell in cells:
            tell("started", cell, None)
            yield cell, run_cell(cell, run.folder)
        return
    yield from outcomes(_outcome, [(cell, run.folder) for cell in cells], run.jobs)


def _outcome(task: tuple[Cell, str | None]) -> tuple[Cell, dict[str, Any]]:
    return task[0], run_cell(*task)
