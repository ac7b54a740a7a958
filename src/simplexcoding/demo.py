"""A short tour of the library: its figures, its table of theory, its consistency findings.

Run it with `python -m simplexcoding.demo --output demo_output`.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simplexcoding.plots.code import plot_code
from simplexcoding.plots.level_sets import plot_level_sets
from simplexcoding.relaxation import check_consistency, format_table, theory_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PAPER = slice(0, 3)


def main(argv: Sequence[str] | None = None) -> int:
    """Write the figures, print the table and the findings, and name what was written.

    Parameters
    ----------
    argv : sequence of str, default the command line
        `--output FOLDER`, default demo_output, is made if it is not there.

    Returns
    -------
    int, the exit status 0
    """
    parser = argparse.ArgumentParser(prog="python -m simplexcoding.demo", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo_output"), help="folder to fill")
    folder: Path = parser.parse_args(argv).output
    folder.mkdir(parents=True, exist_ok=True)

    rows = theory_table()
    print("Excess misclassification <= C_T (excess loss)^(1/p), C_T for several T\n")
    table = format_table(rows)
    print(table)
    print("\nSearch for distributions on which a loss finds a wrong class, T = 3 and 4\n")
    findings = "\n".join(
        f"T = {count}  {check_consistency(row.loss, count)}" for count in (3, 4) for row in rows
    )
    print(findings)

    written = [
        _saved(plot_code(), folder / "simplex_code.png"),
        _saved(plot_level_sets([row.loss for row in rows[_PAPER]])[0], folder / "level_sets.png"),
        _saved(plot_level_sets()[0], folder / "level_sets_all.png"),
        _written(table, folder / "theory_table.txt"),
        _written(findings, folder / "consistency.txt"),
    ]
    print("\nWritten:", *written, sep="\n  ")
    return 0


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
