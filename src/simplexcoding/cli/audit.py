"""simplexcoding audit: rows whose label the model without them contradicts."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from simplexcoding.audit import audit_labels
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
        Path | None, typer.Option("--output", "-o", help="CSV or Parquet of every row, ranked.")
    ] = None,
) -> None:
    """Rank the rows whose label is most likely wrong.

    Example: simplexcoding audit flowers.csv --target species --top 10
    """
    if output is not None:
        check_writable(output)
    columns = read_columns(data, target)
    model = learn(columns, target, make_estimator("least_squares", kernel), standardise)
    found = audit_labels(model.estimator, columns.target)
    frame = found.to_frame()
    words = f"{found.n_contradicted} contradicted, about {found.n_errors:.0f} estimated wrong"
    table = Table(title=f"{len(found)} labels: {words}")
    for name in frame.columns:
        table.add_column(name.replace("_", " "))
    for row in frame.head(top).itertuples(index=False):
        table.add_row(*(f"{v:.3f}" if isinstance(v, float) else str(v) for v in row))
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    if output is not None:
        write_table(output, {name: frame[name] for name in frame.columns})
        console.print(f"Written: {output}", markup=False)
