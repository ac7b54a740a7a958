"""One cell of the table: fit a method on a data set, and judge it on the test part."""

import warnings
from dataclasses import asdict, dataclass
from functools import lru_cache
from time import process_time
from typing import Any

import numpy as np
from sklearn.metrics import confusion_matrix

from simplexcoding.datasets import Split, load
from simplexcoding.experiments.methods import METHODS, Task
from simplexcoding.experiments.protocol import Protocol
from simplexcoding.selection.path import Path

FEATURES = ("raw", "standardised")
QUICK_FEATURES = ("standardised",)


@dataclass(frozen=True)
class Cell:
    """A place in the tables: which data, which features, which method, which protocol."""

    dataset: str
    features: str
    method: str
    protocol: Protocol

    @property
    def key(self) -> dict[str, Any]:
        """What tells this cell from others, as JSON has it."""
        return asdict(self)


@lru_cache(maxsize=2)
def _split(dataset: str, features: str, folder: str | None) -> Split:
    split = load(dataset, folder)
    return split.standardised() if features == "standardised" else split


def run_cell(cell: Cell, folder: str | None = None) -> dict[str, Any]:
    """Fit and judge; a failure becomes a row with an `error` in place of an accuracy.

    Parameters
    ----------
    cell : Cell
    folder : str, default=None
        Folder of data files.

    Returns
    -------
    dict for JSON: the cell's key, accuracy in per cent, processor seconds, what was chosen, the
    curve of the choice, the confusion matrix, the source of the data
    """
    try:
        split = _split(cell.dataset, cell.features, folder)
        return {**cell.key, **_judged(cell, split)}
    # One cell must not end a run of hours; the row says what happened.
    except Exception as error:
        text = (str(error) or type(error).__name__).splitlines()[0]
        return {**cell.key, "error": f"{type(error).__name__}: {text}"}


def _judged(cell: Cell, split: Split) -> dict[str, Any]:
    model = METHODS[cell.method].build(Task(split.X_train, cell.protocol))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        start = process_time()
        model.fit(split.X_train, split.y_train)
        fitted = process_time()
        answer = model.predict(split.X_test)
        done = process_time()
    confusion = confusion_matrix(split.y_test, answer, labels=np.arange(split.n_classes))
    return {
        "accuracy": round(100 * float(np.mean(answer == split.y_test)), 2),
        "fit_seconds": round(fitted - start, 3),
        "predict_seconds": round(done - fitted, 3),
        "chosen": chosen(model),
        "curve": curve(model),
        **({"grid": model.grid(split.X_test, split.y_test)} if hasattr(model, "grid") else {}),
        "confusion": confusion.tolist(),
        "warnings": sorted({f"{type(w.message).__name__}: {w.message}" for w in caught})[:3],
        "n_train": len(split.y_train),
        "n_test": len(split.y_test),
        "n_classes": split.n_classes,
        "source": split.source,
    }


def chosen(model: Any) -> dict[str, float]:
    """Parameters that the fit chose, by name."""
    found: dict[str, float] = {}
    for name in ("alpha_", "lambda_", "gamma_", "C_", "n_estimators_", "n_landmarks_", "n_iter_"):
        value = getattr(model, name, None)
        if isinstance(value, int | float | np.number):
            found[name.rstrip("_")] = float(value)
    for name, value in getattr(model, "best_params_", {}).items():
        found[name.split("__")[-1]] = float(value)
    return found


def curve(model: Any) -> dict[str, Any] | None:
    """The curve behind the choice: parameter against score, None where there is none."""
    path = getattr(model, "path_", None)
    if isinstance(path, Path):
        found, left_out = path.chosen, hasattr(model, "loo_scores_")
        # What online learning calls alpha is the lambda of the theory.
        name = "lambda" if found.parameter == "alpha" and not left_out else found.parameter
        label = "leave-one-out score" if left_out else "hold-out accuracy"
        return _curve(name, found.values, label, found.score)
    if hasattr(model, "cv_results_"):
        results = model.cv_results_
        values = [next(iter(params.values())) for params in results["params"]]
        return _curve("C", values, "hold-out accuracy", results["mean_test_score"])
    if hasattr(model, "train_score_"):
        rounds = np.arange(1, len(model.train_score_) + 1)
        return _curve("rounds", rounds, "training risk", model.train_score_)
    return None


def _curve(x_label: str, x: Any, y_label: str, y: Any) -> dict[str, Any]:
    return {
        "x_label": x_label,
        "x": [float(f"{value:.6g}") for value in np.ravel(x)],
        "y_label": y_label,
        "y": [float(f"{value:.6g}") for value in np.ravel(y)],
    }
