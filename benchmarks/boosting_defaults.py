"""Cross-validate what the defaults of SimplexBoostingClassifier might be, on training rows alone.

Run from the root of the repository: python -m benchmarks.boosting_defaults [set ...]

For every set the training rows are cut in five; the first two parts are left out in turn.
Printed are the means over the two of accuracy in per cent, log-loss and CPU seconds, for the
default and for models that differ from it in one thing.
"""

import sys
from time import process_time
from typing import Any

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold

from benchmarks.data import load
from simplexcoding import SimplexBoostingClassifier

SETS = ("letter", "satimage", "pendigits", "isolet", "aloi438")
PARTS = 2
# The largest sets are cut: what is compared are settings, not sets.
MOST_ROWS = 12_000
VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "n_directions=3": {"n_directions": 3},
    "n_directions=12": {"n_directions": 12},
    "no projection": {"n_directions": 1000},
    "max_depth=5": {"max_depth": 5},
    "max_depth=8": {"max_depth": 8},
    "learning_rate=0.1": {"learning_rate": 0.1},
    "learning_rate=0.3": {"learning_rate": 0.3},
    "l2_regularization=0.1": {"l2_regularization": 0.1},
    "l2_regularization=1": {"l2_regularization": 1.0},
    "all features": {"max_features": None},
    "max_features=sqrt": {"max_features": "sqrt"},
    "min_samples_leaf=5": {"min_samples_leaf": 5},
    "max_bins=64": {"max_bins": 64},
    "n_iter_no_change=20": {"n_iter_no_change": 20},
    "held-out rows never join": {"warm_start": True},
    "refit to all rows": {"refit": True},
    "no rows held out": {"early_stopping": False},
}


def training_rows(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Training rows of a set, at most MOST_ROWS of them."""
    found = load(name)
    X, y = (found["X_train"], found["y_train"]) if "X_train" in found else (found["X"], found["y"])
    some = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    return X[some].astype(float), y[some]


def fitted(X: np.ndarray, y: np.ndarray, refit: bool = False, **parameters: Any) -> Any:
    """The model, or one grown anew on all rows, as long and as warm as the first."""
    model = SimplexBoostingClassifier(random_state=0, **parameters).fit(X, y)
    if refit:
        rounds, calibration = len(model.validation_score_), model.calibration_
        model.set_params(early_stopping=False, n_estimators=rounds).fit(X, y)
        model.calibration_ = calibration
    return model


def study(name: str) -> None:
    """Print a line for each variant."""
    X, y = training_rows(name)
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))[:PARTS]
    print(f"\n{name}: {len(y):,} rows, {X.shape[1]} features, {len(np.unique(y))} classes\n")
    print(f"| {'':28} | accuracy | log-loss | CPU, s | rounds |\n|---|---:|---:|---:|---:|")
    for label, parameters in VARIANTS.items():
        rows = []
        for learn, left_out in folds:
            start = process_time()
            model = fitted(X[learn], y[learn], **parameters)
            seconds = process_time() - start
            P = model.predict_proba(X[left_out])
            accuracy = 100 * np.mean(model.classes_[P.argmax(axis=1)] == y[left_out])
            loss = log_loss(y[left_out], P, labels=model.classes_)
            rows.append((accuracy, loss, seconds, model.n_estimators_))
        mean = np.mean(rows, axis=0)
        print(
            f"| {label:28} | {mean[0]:.2f} | {mean[1]:.4f} | {mean[2]:.1f} | {mean[3]:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    SimplexBoostingClassifier(n_estimators=2).fit(
        np.arange(2400.0).reshape(1200, 2), np.arange(1200) % 3
    )
    for chosen in sys.argv[1:] or SETS:
        study(chosen)
