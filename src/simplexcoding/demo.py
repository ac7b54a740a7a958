"""The main job on data that comes with scikit-learn, and a short tour of the theory.

Run it with `python -m simplexcoding.demo --output demo_output`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simplexcoding.atomic import write_atomically
from simplexcoding.datasets import BUNDLED
from simplexcoding.experiments.cell import QUICK_FEATURES, Cell
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.methods import METHODS
from simplexcoding.experiments.protocol import QUICK
from simplexcoding.experiments.report import report
from simplexcoding.experiments.runner import Run, plan, reproduce
from simplexcoding.experiments.table import Table
from simplexcoding.plots.code import plot_code
from simplexcoding.plots.level_sets import plot_level_sets
from simplexcoding.relaxation import check_consistency, format_table, theory_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PAPER = slice(0, 3)
_SLOW = ("sc_rbf", "sh_rbf", "sh_free_rbf", "relative_rbf", "vertex_rbf", "logistic_rbf", "ova_rbf")


def main(argv: Sequence[str] | None = None) -> int:
    """Print the theory and the table of accuracies, write figures and a report, name them.

    Parameters
    ----------
    argv : sequence of str, default the command line
        `--output FOLDER`, default demo_output, is made if it is not there; `--datasets`
        takes fewer than all the bundled sets.

    Returns
    -------
    int, the exit status 0
    """
    parser = argparse.ArgumentParser(prog="python -m simplexcoding.demo", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo_output"), help="folder to fill")
    parser.add_argument("--datasets", nargs="+", choices=BUNDLED, default=list(BUNDLED))
    options = parser.parse_args(argv)
    folder: Path = options.output
    folder.mkdir(parents=True, exist_ok=True)
    written = [*_theory(folder), *_table(folder, options.datasets)]
    print("\nWritten:", *written[:-1], sep="\n  ")
    print(f"\nReport: {written[-1]}")
    return 0


def _theory(folder: Path) -> list[Path]:
    """Write the figures of the code and of the losses, and what the theory says of each loss."""
    rows = theory_table()
    print("Excess misclassification <= C_T (excess loss)^(1/p), C_T for several T\n")
    table = format_table(rows)
    print(table)
    print("\nSearch for distributions on which a loss finds a wrong class, T = 3 and 4\n")
    findings = "\n".join(
        f"T = {count}  {check_consistency(row.loss, count)}" for count in (3, 4) for row in rows
    )
    print(findings)
    return [
        _saved(plot_code(), folder / "simplex_code.png"),
        _saved(plot_level_sets([row.loss for row in rows[_PAPER]])[0], folder / "level_sets.png"),
        _saved(plot_level_sets()[0], folder / "level_sets_all.png"),
        _written(table, folder / "theory_table.txt"),
        _written(findings, folder / "consistency.txt"),
    ]


def _table(folder: Path, datasets: list[str]) -> list[Path]:
    """Run the paper's table on bundled data; results.json and report.html."""
    print("\nAccuracy on data that comes with scikit-learn, in per cent\n", flush=True)
    results = folder / "results.json"
    # On the largest set the batch support vector machines alone would take a minute.
    cells = [
        cell
        for cell in plan(datasets, features=QUICK_FEATURES, protocol=QUICK)
        if cell.dataset != "digits" or cell.method not in _SLOW
    ]
    journal = reproduce(Run(cells), Journal(results), _tell)
    for kind in QUICK_FEATURES:
        lines = Table.of(journal.rows, kind).lines()
        widths = [max(len(line[j]) for line in lines) for j in range(len(lines[0]))]
        print(f"\n{kind} features")
        for line in lines:
            print("  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)))
    page = folder / "report.html"
    write_atomically(page, report(journal.rows, journal.complexity).encode())
    return [results, page]


def _tell(event: str, cell: Cell, row: dict[str, Any] | None) -> None:
    if event == "done" and row is not None:
        outcome = row.get("error") or f"{row['accuracy']:.2f}"
        name = METHODS[cell.method].title
        print(f"{cell.dataset}, {cell.features}, {name}: {outcome}", flush=True)


def _saved(ax: "Axes", path: Path) -> Path:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    figure = ax.get_figure(root=True)
    if figure is None:
        raise ValueError("ax must belong to a figure.")
    # Drawn without a display, whatever backend is set.
    FigureCanvasAgg(figure)
    figure.savefig(path, dpi=160)
    return path


def _written(text: str, path: Path) -> Path:
    path.write_text(text + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    raise SystemExit(main())
