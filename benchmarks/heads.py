"""One classifier on one data set, in a process of its own with a limit on its processor time.

    python -m benchmarks.heads DATA METHOD default|tuned

prints what it came to as JSON. Tuned means a three-fold grid search on the training rows, all of it
in the time; features are standardised inside the pipeline, embeddings of unit length stay as they
are. At its default a method gets the features as they come, as `SimplexRidgeClassifier()` does.
"""

import json
import os
import resource
import subprocess
import sys
import warnings
from dataclasses import dataclass
from datetime import date
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks import pin_threads

if __name__ == "__main__":
    pin_threads(os.environ, 1)  # Before any library that reads them is imported.

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.data import load
from benchmarks.harness import Skip

OURS = "SimplexRidgeClassifier"
FOLDS = 3
CELLS = Path(__file__).with_name("cells")
# Processor seconds that a method may take on a set; None of ours comes near.
LIMIT = 300


@dataclass(frozen=True)
class Method:
    """Where a classifier is found, what a search goes over, and arguments of every run."""

    module: str
    grid: dict[str, list[Any]]
    always: dict[str, Any] | None = None

    @property
    def library(self) -> str:
        """The distribution that it comes from."""
        home = self.module.partition(".")[0]
        return "scikit-learn" if home == "sklearn" else home

    @property
    def fits(self) -> int:
        """Fits of a search, in units of one on all rows."""
        points = len([*product(*self.grid.values())])
        return 1 + points * (FOLDS - 1) if self.grid else 1


_BOOSTING = "learning_rate"
METHODS = {
    OURS: Method("simplexcoding.estimators.ridge", {}),
    "LogisticRegression": Method("sklearn.linear_model", {"C": [0.1, 1.0, 10.0, 100.0]}),
    "LinearSVC": Method("sklearn.svm", {"C": [0.01, 0.1, 1.0]}),
    "SVC": Method("sklearn.svm", {"C": [1.0, 10.0, 100.0], "gamma": [1.0, 4.0]}),
    "KNeighborsClassifier": Method(
        "sklearn.neighbors", {"n_neighbors": [1, 3, 10, 30], "weights": ["distance"]}
    ),
    "RidgeClassifierCV": Method("sklearn.linear_model", {}),
    "HistGradientBoostingClassifier": Method(
        "sklearn.ensemble", {_BOOSTING: [0.05, 0.1], "max_leaf_nodes": [15, 31]}
    ),
    "LGBMClassifier": Method(
        "lightgbm",
        {_BOOSTING: [0.05, 0.1], "num_leaves": [15, 31]},
        {"n_jobs": 1, "verbose": -1},
    ),
    "MLPClassifier": Method(
        "sklearn.neural_network",
        {"alpha": [1e-4, 1e-2], "hidden_layer_sizes": [(100,), (300,)]},
        {"random_state": 0},
    ),
}
# Rows of unit length: embeddings, whose directions carry the meaning.
EMBEDDINGS = ("banking77_minilm", "caltech101_clip", "sun397_clip")


def rows_of(name: str, few: int | None = None) -> tuple[Any, ...]:
    """X, y, X_test, y_test; halves of a set that has no split of its own."""
    arrays = load(name)
    if "X_train" in arrays:
        X, Xt, y, yt = (arrays[key] for key in ("X_train", "X_test", "y_train", "y_test"))
    else:
        X, Xt, y, yt = train_test_split(
            arrays["X"], arrays["y"], train_size=0.5, stratify=arrays["y"], random_state=0
        )
    if few is not None:  # So many rows per class.
        kept = np.concatenate([np.flatnonzero(y == label)[:few] for label in np.unique(y)])
        X, y = X[kept], y[kept]
    return X.astype(np.float64), y, Xt.astype(np.float64), yt


def model_of(method: str, tuned: bool, embeddings: bool, n_features: int) -> Any:
    """The classifier at its default, or its search."""
    known = METHODS[method]
    try:
        maker = getattr(import_module(known.module), method)
    except ImportError as error:
        raise Skip(f"{known.module} is not installed") from error
    plain = maker(**(known.always or {}))
    if not tuned:
        return plain
    if method == "RidgeClassifierCV":  # It searches its own list.
        plain.set_params(alphas=np.geomspace(1e-3, 1e3, 13))
    scale = "passthrough" if embeddings else StandardScaler()
    pipeline = Pipeline([("scale", scale), ("model", plain)])
    if not known.grid:
        return pipeline
    grid = {f"model__{key}": values for key, values in known.grid.items()}
    if "gamma" in known.grid:  # In units of scikit-learn's rule: 1 / features, or 1 at unit length.
        unit = 1.0 if embeddings else 1.0 / n_features
        grid["model__gamma"] = [unit * factor for factor in known.grid["gamma"]]
    return GridSearchCV(pipeline, grid, cv=FOLDS)


def run(name: str, method: str, tuned: bool, few: int | None = None) -> dict[str, Any]:
    """Fit and judge: processor seconds of the fit, test accuracy, log-loss where there is one."""
    X, y, Xt, yt = rows_of(name, few)
    model = model_of(method, tuned, name in EMBEDDINGS, X.shape[1])
    start = process_time()
    model.fit(X, y)
    found: dict[str, Any] = {"seconds": process_time() - start}
    found["accuracy"] = 100 * float(np.mean(model.predict(Xt) == yt))
    if hasattr(model, "predict_proba"):
        found["log_loss"] = float(log_loss(yt, model.predict_proba(Xt), labels=model.classes_))
    if hasattr(model, "best_params_"):
        found["chosen"] = {k.split("__")[1]: v for k, v in model.best_params_.items()}
    elif method == OURS:
        found["chosen"] = {"kernel": model.kernel_, "scaling": model.scaling_}
    return found


def in_child(name: str, method: str, tuned: bool) -> dict[str, Any]:
    """`run` in a fresh process; a Skip where it takes more than its processor time.

    Cells of peers are kept in CELLS, with versions and day, and serve as long as the peer's
    library and the limit are the same, or the library is not there: ours alone is measured
    anew. Who doubts a cell deletes its file.
    """
    how = "tuned" if tuned else "default"
    if method == OURS:
        return _answer(_fresh([name, method, how]))
    library = METHODS[method].library
    installed = _version(library)
    cell = CELLS / f"{name}-{method}-{how}.json"
    if cell.exists():
        kept: dict[str, Any] = json.loads(cell.read_text())
        same = installed in (None, kept["versions"].get(library))
        if same and kept["versions"]["limit"] == LIMIT:
            return _answer(kept)
    if installed is None:
        raise Skip(f"{library} is not installed")
    found = _fresh([name, method, how])
    found["versions"] = {"numpy": np.__version__, library: installed, "limit": LIMIT}
    found["measured"] = str(date.today())
    CELLS.mkdir(exist_ok=True)
    cell.write_text(json.dumps(found) + "\n")
    return _answer(found)


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def _answer(found: dict[str, Any]) -> dict[str, Any]:
    if "skipped" in found:
        raise Skip(found["skipped"])
    return found


def _fresh(arguments: list[str]) -> dict[str, Any]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))

    command = [sys.executable, "-m", "benchmarks.heads", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limited, check=False)
    if done.returncode < 0:
        return {"skipped": f"more than {LIMIT} s"}
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def main() -> None:
    name, method, how = sys.argv[1:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of peers that stop unconverged.
        try:
            found = run(name, method, how == "tuned")
        except Skip as reason:
            found = {"skipped": str(reason)}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
