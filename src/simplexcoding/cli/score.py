"""simplexcoding score: how often a model is right on rows whose labels are known."""

from typing import Annotated, Any

import typer

from simplexcoding.cli import arguments as a


def score(
    model: a.Model,
    data: a.Data,
    target: Annotated[
        str | None,
        typer.Option(
            "--target", "-t", metavar="<column>", help="Column of the labels, if named otherwise."
        ),
    ] = None,
    coverage: Annotated[float, typer.Option(help="Of the sets that are judged.")] = 0.9,
    weights: a.Weights = None,
    as_json: a.Json = False,
) -> None:
    """Judge a model on a file with labels.

    Example: simplexcoding score flowers.model held_out.csv
    """
    from simplexcoding.cli.complaint import Complaint
    from simplexcoding.cli.model_file import load_model
    from simplexcoding.cli.predict import check_coverage, check_inputs
    from simplexcoding.cli.printing import Printer
    from simplexcoding.cli.tables import Wanted, read_columns

    check_inputs(model, data)
    check_coverage(coverage)
    stored = load_model(model)
    column = target or stored.target
    if column in dict(stored.features):
        raise Complaint(f"--target {column}: is a feature of the model; name the labels' column.")
    if weights in dict(stored.features):
        raise Complaint(f"--weights {weights}: is a feature of the model; name another column.")
    columns = read_columns(data, Wanted(column, features=stored.features, weights=weights))
    if columns.weights is not None and not columns.weights.any():
        raise Complaint(f"{columns.name}: column {weights!r} has no weight above zero.")
    classes = stored.model.classes_
    labels = same_kind(columns.target, classes)
    known = [label in set(classes.tolist()) for label in labels]
    if not any(known):
        raise Complaint(f"{columns.name}: no label of column {column!r} is one the model knows.")
    found = measures(stored, columns.X, labels, known, coverage, columns.weights)
    printer = Printer(as_json)
    printer.table("", ["measure", "value"], [(n.replace("_", " "), v) for n, v in found.items()])
    printer.result(found)


def same_kind(labels: Any, classes: Any) -> list[Any]:
    """Labels as the model has them: text where its classes are text."""
    plain = labels.tolist()
    if isinstance(classes.tolist()[0], str):
        return [str(label) for label in plain]
    return plain


def measures(
    stored: Any,
    X: Any,
    labels: list[Any],
    known: list[bool],
    coverage: float,
    weights: Any = None,
) -> dict[str, Any]:
    """Shares of right answers, log-loss and sets, by what the model has; means are weighted."""
    import numpy as np

    from simplexcoding.cli.predict import label_sets
    from simplexcoding.rows import row_weights

    classes = stored.model.classes_.tolist()
    right = np.array(
        [a == b for a, b in zip(stored.model.predict(X).tolist(), labels, strict=True)]
    )
    place = np.array([classes.index(b) if k else -1 for b, k in zip(labels, known, strict=True)])
    weight = row_weights(weights, len(right))

    def mean(values: Any, of: Any = slice(None)) -> float:
        return float(np.average(values, weights=weight[of]))

    inside = place >= 0
    members = [place == k for k in range(len(classes)) if weight[place == k].any()]
    of_class = [mean(right[each], each) for each in members]
    found: dict[str, Any] = {
        "rows": len(right),
        "accuracy": mean(right),
        "balanced_accuracy": float(np.mean(of_class)) if of_class else None,
    }
    if not all(known):
        found["labels_unknown_to_the_model"] = len(known) - sum(known)
    if hasattr(stored.model, "predict_proba") and weight[inside].any():
        p = stored.model.predict_proba(X)[inside, place[inside]]
        found["log_loss"] = -mean(np.log(np.maximum(p, np.finfo(p.dtype).tiny)), inside)
    if hasattr(stored.estimator, "predict_set"):
        sets = label_sets(stored, X, coverage)
        hits = [label in each for label, each in zip(labels, sets, strict=True)]
        found["coverage_asked"] = coverage
        found["coverage"] = mean(hits)
        found["labels_per_set"] = mean([len(each) for each in sets])
    return found
