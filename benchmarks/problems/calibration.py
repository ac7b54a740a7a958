"""Probabilities fitted to left-out scores, next to five-fold calibration and its peers."""

from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import LinearSVC

from benchmarks.data import split
from benchmarks.harness import Contender, Timed, problem
from benchmarks.models import fit, fit_aeon
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.inference.calibration import expected_calibration_error

SETS = ("isolet", "letter", "banking77_minilm", "caltech101_clip", "sun397_clip")


@dataclass
class Table:
    """Quality of the models of one set, filled while they are measured."""

    Xt: Any
    yt: Any
    rows: dict[str, tuple[float, float]] = field(default_factory=dict)

    def notes(self, label: str, model: Any) -> dict[str, object]:
        """Test accuracy, log-loss, Brier score and expected calibration error."""
        P = np.clip(model.predict_proba(self.Xt), 1e-15, 1)
        y = np.searchsorted(model.classes_, self.yt)
        rows = np.arange(len(y))
        brier = np.square(P).sum(axis=1) + 1 - 2 * P[rows, y]
        accuracy = 100 * float(np.mean(model.predict(self.Xt) == self.yt))
        loss = -float(np.log(P[rows, y]).mean())
        self.rows[label] = accuracy, loss
        notes: dict[str, object] = {
            "accuracy": f"{accuracy:.2f} %",
            "log-loss": f"{loss:.4f}",
            "Brier": f"{brier.mean():.4f}",
            "ECE": f"{expected_calibration_error(P, y):.4f}",
        }
        return notes | ({"held": self._held()} if label == LAST else {})

    def _held(self) -> bool:
        """Log-loss of our better and accuracy of vector against the ridge-based peers."""
        theirs = [row for label, row in self.rows.items() if label in RIDGE_BASED]
        loss = min(row[1] for label, row in self.rows.items() if label.startswith("ours"))
        good = self.rows[LAST][0] >= max(row[0] for row in theirs)
        return bool(good and loss <= min(row[1] for row in theirs))


AEON = "aeon PrevalidatedRidgeClassifier"
RIDGE_BASED = ("RidgeClassifier, 5-fold", AEON)
LAST = "ours, vector"


def contenders(name: str, quick: bool) -> list[Contender]:
    X, y, Xt, yt = split(name, 300 if quick else None)
    if quick:
        # Two of the classes with enough rows for five folds.
        common = np.isin(y, np.argsort(-np.bincount(y))[:2])
        seen = np.isin(yt, y[common])
        X, y, Xt, yt = X[common], y[common], Xt[seen], yt[seen]
    table = Table(Xt, yt)
    alpha = SimplexRidgeClassifier(kernel="linear").fit(X, y).alpha_
    models = {
        "RidgeClassifier, 5-fold": CalibratedClassifierCV(RidgeClassifier(alpha), cv=5),
        "LinearSVC, 5-fold": CalibratedClassifierCV(LinearSVC(), cv=5),
        "LogisticRegression": LogisticRegression(max_iter=300),
        "ours, none": SimplexRidgeClassifier(kernel="linear", calibration="none"),
        "ours, temperature": SimplexRidgeClassifier(kernel="linear", calibration="temperature"),
        LAST: SimplexRidgeClassifier(kernel="linear", calibration="vector"),
    }
    runs: dict[str, Any] = {AEON: partial(fit_aeon, X, y)}
    runs |= {label: partial(fit, model, X, y) for label, model in models.items()}
    return [Contender(label, run, partial(table.notes, label)) for label, run in runs.items()]


def register(name: str) -> None:
    def calibration(quick: bool) -> list[Contender]:
        return contenders(name, quick)

    calibration.__name__ = f"calibration_{name}"
    problem(
        title=f"{name}: probabilities of linear models",
        bar="log-loss of our better and accuracy of vector at or above the best ridge-based peer",
        limit=np.inf,
        baseline="ours, none",
        repeat=0,
        threads=2,
    )(calibration)


for _name in SETS:
    register(_name)


def added(kind: str, name: str, quick: bool) -> Timed:
    """Time that calibration adds to one fit: the best of seven each, in turns."""
    X, y, _, _ = split(name, 300 if quick else None)
    best = {"none": np.inf, kind: np.inf}
    for _ in range(1 if quick else 7):
        for option in best:
            start = perf_counter()
            SimplexRidgeClassifier(kernel="linear", calibration=option).fit(X, y)
            best[option] = min(best[option], perf_counter() - start)
    return Timed(max(best[kind] / best["none"] - 1, 0.0))


@problem(
    title="Time that calibration adds to a fit, as a share of it (in the column of seconds)",
    bar="at most 0.3",
    limit=0.3,
    baseline="one fit",
    repeat=0,
    threads=2,
)
def calibration_time(quick: bool) -> list[Contender]:
    rows = [Contender("one fit", lambda: Timed(1.0))]
    for name in SETS[:1] if quick else SETS:
        for kind in ("temperature", "vector"):
            run = partial(added, kind, name, quick)
            rows.append(Contender(f"{name}, {kind}", run, ours=True))
    return rows
