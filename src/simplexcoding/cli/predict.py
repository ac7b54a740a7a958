"""simplexcoding predict: labels, probabilities and sets."""

from pathlib import Path
from typing import Annotated, Any

import typer

from simplexcoding.cli import arguments as a


def predict(
    model: a.Model,
    data: a.Data,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="CSV or Parquet; standard output if omitted."),
    ] = None,
    probabilities: Annotated[
        bool, typer.Option("--probabilities", "-p", help="Add a column for each class.")
    ] = False,
    coverage: Annotated[
        float | None,
        typer.Option(help="Add sets that hold the true class this often, such as 0.9."),
    ] = None,
    keep: a.Keep = None,
    stream: a.Stream = None,
    as_json: a.Json = False,
) -> None:
    """Predict the label of every row of a file.

    Example: simplexcoding predict flowers.model new.csv -o labels.csv --coverage 0.9
    """
    from simplexcoding.cli.model_file import load_model
    from simplexcoding.cli.printing import Printer
    from simplexcoding.cli.sources import STANDARD, check_output, is_standard
    from simplexcoding.cli.tables import Wanted, read_columns
    from simplexcoding.cli.tables_in_blocks import is_streamed
    from simplexcoding.cli.writing import TABLES, write_table

    check_inputs(model, data)
    check_coverage(coverage)
    check_output(output, TABLES)
    stored = load_model(model)
    wanted = Wanted(features=stored.features, keep=keep or ())

    def answers(columns: Any) -> dict[str, Any]:
        found = {**columns.kept, stored.target: stored.model.predict(columns.X)}
        if coverage is not None:
            found[f"{stored.target}_set"] = label_sets(stored, columns.X, coverage)
        return found | (_class_columns(stored.model, columns.X) if probabilities else {})

    shown = output is None or is_standard(output)
    listed = as_json and output is None
    result: dict[str, Any] = {"written": output}
    if not listed and is_streamed(data, stream):
        n = _predict_streamed(data, wanted, answers, output or STANDARD, stored)
    else:
        columns = read_columns(data, wanted)
        found, n = answers(columns), len(columns.X)
        if listed:
            result["predictions"] = _records(found)
        else:
            write_table(output or STANDARD, found)
    printer = Printer(as_json, beside=shown and not listed)
    if not shown:
        printer.line(f"{n} rows\nWritten: {output}")
    printer.result({"rows": n, **result})


def _predict_streamed(data: Path, wanted: Any, answers: Any, output: Path, stored: Any) -> int:
    """Predict and write some rows at a time; the number of rows."""
    from simplexcoding.cli.tables_in_blocks import open_table
    from simplexcoding.cli.writing import arrow_types, table_writer
    from simplexcoding.estimators.progress import Progress

    labels = stored.estimator.classes_.tolist()
    table = open_table(data, wanted, len(labels))
    # The first rows may have no value to keep, or empty sets: their columns are known before.
    types = table.kept_types | arrow_types({f"{stored.target}_set": [labels]})
    n = 0
    with table_writer(output, types) as writer, Progress("predict") as progress:
        for columns in table.columns():
            writer.write(answers(columns))
            n += len(columns.X)
            progress.rows(n, table.n_rows)
    return n


def check_inputs(model: Path, data: Path) -> None:
    """Standard input can be one of them only."""
    from simplexcoding.cli.complaint import Complaint
    from simplexcoding.cli.sources import is_standard

    if is_standard(model) and is_standard(data):
        raise Complaint("-: the model and the data cannot both be standard input.")


def check_coverage(coverage: float | None) -> None:
    """Complain of a coverage that is no share, before any work."""
    from simplexcoding.cli.complaint import Complaint

    if coverage is not None and not 0 < coverage < 1:
        raise Complaint(f"--coverage {coverage:g}: must be between 0 and 1, such as 0.9.")


def label_sets(stored: Any, X: Any, coverage: float) -> list[list[Any]]:
    """Labels in the set of each row."""
    from simplexcoding.cli.complaint import Complaint

    estimator = stored.estimator
    if not hasattr(estimator, "predict_set"):
        name = type(estimator).__name__
        calibrated = "calibration" in estimator.get_params(deep=False)
        cure = "fit it with --calibration temperature" if calibrated else "omit it"
        raise Complaint(f"--coverage: {name} has no left-out scores to make sets from; {cure}.")
    if stored.model is not estimator:
        X = stored.model[:-1].transform(X)
    labels = estimator.classes_.tolist()
    inside = estimator.predict_set(X, coverage=coverage)
    return [[labels[k] for k in row.nonzero()[0]] for row in inside]


def _class_columns(model: Any, X: Any) -> dict[str, Any]:
    """Probabilities, or scores where a model has none."""
    if hasattr(model, "predict_proba"):
        word, values = "p", model.predict_proba(X)
    else:
        word, values = "score", model.decision_function(X)
        if values.ndim == 1:
            return {f"score_{model.classes_[1]}": values}
    return {f"{word}_{label}": values[:, k] for k, label in enumerate(model.classes_)}


def _records(columns: dict[str, Any]) -> list[dict[str, Any]]:
    plain = {
        name: getattr(values, "tolist", lambda v=values: v)() for name, values in columns.items()
    }
    return [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]
