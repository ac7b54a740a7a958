"""simplexcoding fit: learn a model from a file and store it."""

from pathlib import Path
from typing import Annotated, Any
from warnings import catch_warnings, simplefilter

import typer
from rich.console import Console
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.estimator_options import make_estimator
from simplexcoding.cli.model_file import StoredModel, save_model
from simplexcoding.cli.tables import Columns, read_columns

Data = Annotated[Path, typer.Argument(help="CSV, Parquet, NPZ or NPY file.")]
Target = Annotated[str, typer.Option("--target", "-t", help="Column of the labels.")]
Loss = Annotated[str, typer.Option(help="least_squares, cone, half_space, relative, ...")]
KernelName = Annotated[str, typer.Option("--kernel", help="linear, rbf, laplacian or poly.")]
Standardise = Annotated[
    bool, typer.Option("--standardise", help="Give every feature mean 0 and spread 1 first.")
]


def learn(data: Columns, target: str, estimator: Any, standardise: bool) -> StoredModel:
    """Fit an estimator on the columns of a file."""
    model = make_pipeline(StandardScaler(), estimator) if standardise else estimator
    try:
        with catch_warnings(record=True) as caught:
            simplefilter("always")
            model.fit(data.X, data.target)
    except ValueError as error:
        reason = str(error).splitlines()[0]
        raise Complaint(f"{data.path}: column {target!r} cannot be learnt: {reason}") from None
    for message in dict.fromkeys(str(each.message) for each in caught):
        typer.echo(f"note: {message}", err=True)
    return StoredModel(model, data.names, target)


def fit(
    data: Data,
    target: Target,
    output: Annotated[Path, typer.Option("--output", "-o", help="Model file to write.")],
    loss: Loss = "least_squares",
    kernel: KernelName = "linear",
    online: Annotated[bool, typer.Option("--online", help="Learn row by row (linear).")] = False,
    standardise: Standardise = False,
    seed: Annotated[int, typer.Option(help="Seed of every draw.")] = 0,
) -> None:
    """Learn a model; it chooses its own regularisation.

    Example: simplexcoding fit flowers.csv --target species --kernel rbf -o flowers.model
    """
    estimator = make_estimator(loss, kernel, online, seed)
    columns = read_columns(data, target)
    model = learn(columns, target, estimator, standardise)
    save_model(output, model)
    fitted = model.estimator
    n, p = columns.X.shape
    words = f"{type(fitted).__name__}: {n} rows, {p} features, {len(fitted.classes_)} classes"
    if hasattr(fitted, "best_score_"):
        words += f"; left-out score {fitted.best_score_:.4f}"
    Console(highlight=False, soft_wrap=True).print(f"{words}\nWritten: {output}", markup=False)
