"""simplexcoding predict: labels, and probabilities where the model has them."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from simplexcoding.cli.fit import Data
from simplexcoding.cli.model_file import load_model
from simplexcoding.cli.tables import check_writable, read_columns, write_table


def predict(
    model: Annotated[Path, typer.Argument(help="Model file.")],
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="CSV or Parquet to write.")],
    probabilities: Annotated[
        bool, typer.Option("--probabilities", "-p", help="Add a column for each class.")
    ] = False,
) -> None:
    """Predict the label of every row of a file.

    Example: simplexcoding predict flowers.model new.csv -o labels.csv --probabilities
    """
    check_writable(output)
    stored = load_model(model)
    columns = read_columns(data, None, stored.features)
    found: dict[str, Any] = {stored.target: stored.model.predict(columns.X)}
    if probabilities:
        found |= _class_columns(stored.model, columns.X)
    write_table(output, found)
    Console(highlight=False, soft_wrap=True).print(
        f"{len(columns.X)} rows\nWritten: {output}", markup=False
    )


def _class_columns(estimator: Any, X: Any) -> dict[str, Any]:
    """Probabilities, or scores where a model has none."""
    if hasattr(estimator, "predict_proba"):
        word, values = "p", estimator.predict_proba(X)
    else:
        word, values = "score", estimator.decision_function(X)
        if values.ndim == 1:
            return {f"score_{estimator.classes_[1]}": values}
    return {f"{word}_{label}": values[:, k] for k, label in enumerate(estimator.classes_)}
