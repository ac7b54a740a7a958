"""simplexcoding path: the score of left-out rows along the regularisation path."""

from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.estimator_options import make_estimator
from simplexcoding.cli.fit import Data, KernelName, Standardise, Target, learn
from simplexcoding.cli.tables import check_writable, read_columns, save, write_table
from simplexcoding.plots.path import PathDisplay

_SHOWN = 15


def path(
    data: Data,
    target: Target,
    kernel: KernelName = "linear",
    standardise: Standardise = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV, Parquet or PNG to write.")
    ] = None,
) -> None:
    """Show the leave-one-out score along alpha, and where it is exact.

    It is exact for every alpha, but for kernels on more than 1,500 rows and for very many
    rows times classes: there the chosen alpha and a few others are exact, the rest is
    interpolated, and an effective dimension that is not known is left blank.

    Example: simplexcoding path flowers.csv --target species --kernel rbf -o path.png
    """
    if output is not None and output.suffix.lower() != ".png":
        check_writable(output)
    estimator = make_estimator("least_squares", kernel)
    fitted = learn(read_columns(data, target), target, estimator, standardise).estimator
    found, best = fitted.path_, fitted.path_.best
    columns = {
        "alpha": found.alphas[best[0]],
        "score": found.score[best[0]],
        "squared_error": found.squared_error[best[0]],
        "effective_dimension": found.effective_dimension[best[0]],
        "exact": found.exact[best[0]],
    }
    console = Console(highlight=False, soft_wrap=True)
    console.print(_table(columns, best[1]))
    console.print(
        f"Chosen: alpha {fitted.alpha_:.4g}, leave-one-out score {fitted.best_score_:.4f}"
    )
    if output is None:
        return
    if output.suffix.lower() == ".png":
        save(output, _drawn(fitted))
    else:
        write_table(output, columns)
    console.print(f"Written: {output}", markup=False)


def _table(columns: dict[str, Any], best: int) -> Table:
    """A few of the alphas, evenly, the chosen one among them."""
    table = Table(title="Leave-one-out along the path")
    for name in columns:
        table.add_column(name.replace("_", " "), justify="right")
    count = len(columns["alpha"])
    shown = {*range(0, count, max(1, count // _SHOWN)), best}
    for k in sorted(shown):
        cells = [_cell(values[k]) for values in columns.values()]
        table.add_row(*cells, style="bold" if k == best else None)
    return table


def _cell(value: Any) -> str:
    """Blank for what is not known, yes or no for truth."""
    if isinstance(value, np.bool_):
        return "yes" if value else "no"
    return "" if np.isnan(value) else f"{value:.4g}"


def _drawn(fitted: Any) -> bytes:
    try:
        figure = PathDisplay.from_estimator(fitted).figure_
    except ImportError as error:
        raise Complaint(str(error)) from None
    stream = BytesIO()
    figure.get_figure(root=True).savefig(stream, format="png", dpi=130)
    return stream.getvalue()
