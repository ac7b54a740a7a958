"""Fit an estimator on the columns of a file."""

import sys
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import StoredModel
from simplexcoding.cli.printing import plain
from simplexcoding.cli.sources import named
from simplexcoding.cli.tables import Columns, Wanted, read_columns
from simplexcoding.kernels import has_gamma


def learn_file(
    path: Path,
    wanted: Wanted,
    estimator: Any,
    standardise: bool,
    stream: bool | None = None,
    dask: str | None = None,
) -> tuple[StoredModel, int]:
    """Fit on a file, whole or in blocks; the model and the number of rows."""
    from simplexcoding.cli.tables_in_blocks import is_streamed, open_table

    assert wanted.target is not None
    asked = True if dask is not None else stream
    # A large file for an estimator that needs all rows is read whole, unless told otherwise.
    able = hasattr(estimator, "fit_blocks") and wanted.groups is None
    if is_streamed(path, asked) and (able or asked):
        from simplexcoding.cli.learning_in_blocks import learn_table

        if wanted.groups is not None:
            raise Complaint("--groups: rows of a group must be read at once; omit --stream.")
        table = open_table(path, wanted)
        name = named(path)
        return learn_table(table, name, wanted.target, estimator, standardise, dask), table.n_rows
    columns = read_columns(path, wanted)
    return learn(columns, wanted.target, estimator, standardise), len(columns.X)


def learn(data: Columns, target: str, estimator: Any, standardise: bool) -> StoredModel:
    """Fit, with what the data has of weights and groups; warnings become notes."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), estimator) if standardise else estimator
    prefix = f"{type(estimator).__name__.lower()}__" if standardise else ""
    extras = {}
    if data.weights is not None:
        extras[f"{prefix}sample_weight"] = data.weights
    if data.groups is not None:
        extras[f"{prefix}groups"] = data.groups
        _leave_groups_out(estimator)
    try:
        with catch_warnings(record=True) as caught:
            simplefilter("always")
            model.fit(data.X, data.target, **extras)
    except (ValueError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise Complaint(f"{data.name}: column {target!r} cannot be learnt: {reason}") from None
    for message in dict.fromkeys(str(each.message) for each in caught):
        print(f"note: {plain(message)}", file=sys.stderr)
    if data.groups is not None:
        # The groups have done their work, and a splitter cannot be stored.
        estimator.set_params(cv=None)
    return StoredModel(model, data.features, target)


def _leave_groups_out(estimator: Any) -> None:
    from sklearn.model_selection import LeaveOneGroupOut

    if "cv" not in estimator.get_params(deep=False):
        name = type(estimator).__name__
        raise Complaint(f"--groups: {name} leaves no groups out; use the loss least_squares.")
    estimator.set_params(cv=LeaveOneGroupOut())


def choice(estimator: Any) -> dict[str, Any]:
    """What the fit chose, and the score of that choice on rows it had not seen."""
    found: dict[str, Any] = {}
    kernel = getattr(estimator, "kernel_", None)
    name = getattr(kernel, "name", kernel) or getattr(estimator, "kernel", None)
    if isinstance(name, str):
        found["kernel"] = name
    for attribute in ("gamma_", "scaling_", "alpha_", "C_", "lambda_", "n_estimators_"):
        value = getattr(estimator, attribute, None)
        if value is not None and (attribute != "gamma_" or has_gamma(name)):
            found[attribute.rstrip("_")] = value
    candidates = getattr(estimator, "candidates_", None)
    if candidates is not None:
        found["because"] = candidates.reason()
    return found | left_out(estimator)


def left_out(estimator: Any) -> dict[str, float]:
    """How the choice did on rows that were left or held out; nothing where none were.

    It is `left_out_score`, a share of right answers, or `left_out_log_loss`, by which the
    rounds of boosted trees are chosen, and alpha under a calibration of each class.
    """
    by_log_loss = estimator._score_name == "neg_log_loss"
    score = getattr(estimator, "best_score_", None)
    if score is None:
        measures = getattr(estimator, "validation_score_", ())
        if not len(measures):
            return {}
        score = -min(measures) if by_log_loss else 1 - min(measures)
    return {"left_out_log_loss": -float(score)} if by_log_loss else {"left_out_score": float(score)}


def left_out_words(found: dict[str, Any]) -> list[str]:
    """What `left_out` found, for people."""
    names = {"left_out_score": "left-out score", "left_out_log_loss": "left-out log-loss"}
    return [f"{names[key]} {found[key]:.4f}" for key in names if key in found]
