"""simplexcoding audit: rows whose label the model without them contradicts."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.estimator_options import make_estimator
from simplexcoding.cli.fit import Data, KernelName, Standardise, Target, learn
from simplexcoding.cli.tables import check_writable, read_columns, write_table


def audit(
    data: Data,
    target: Target,
    kernel: KernelName = "rbf",
    standardise: Standardise = False,
    top: Annotated[int, typer.Option(help="Rows to show.")] = 20,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV or Parquet of every suspect.")
    ] = None,
) -> None:
    """Rank the rows whose label is most likely wrong.

    Example: simplexcoding audit flowers.csv --target species --top 10
    """
    if output is not None:
        check_writable(output)
    find = _audit_labels()
    columns = read_columns(data, target)
    model = learn(columns, target, make_estimator("least_squares", kernel), standardise)
    found = as_columns(find(model.estimator, columns.target))
    console = Console(highlight=False, soft_wrap=True)
    table = Table(title=f"{len(next(iter(found.values())))} suspects, the likeliest first")
    for name in found:
        table.add_column(name.replace("_", " "))
    for row in list(zip(*found.values(), strict=True))[:top]:
        table.add_row(*(f"{v:.3f}" if isinstance(v, float) else str(v) for v in row))
    console.print(table)
    if output is not None:
        write_table(output, found)
        console.print(f"Written: {output}", markup=False)


def _found() -> Callable[[Any, Any], Any] | None:
    return getattr(import_module("simplexcoding.inference"), "audit_labels", None)


def _audit_labels() -> Callable[[Any, Any], Any]:
    found = _found()
    if found is None:
        raise Complaint("audit: this release has no label audit.")
    return found


def as_columns(found: Any) -> dict[str, Any]:
    """Suspects as columns, from the arrays of an audit."""
    return dict(found)
