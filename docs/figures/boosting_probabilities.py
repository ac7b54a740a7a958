"""What the probabilities of trees lose by their calibration, and what by the trees.

python docs/figures/boosting_probabilities.py

Log-loss over three folds as a multiple of LogisticRegression's on the same standardised rows; "in
hindsight" is with the temperature that suits the test rows best. With SimplexSGDClassifier.
"""

import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.problems.calibration_small import best_temperature, folds, tables
from simplexcoding import SimplexBoostingClassifier, SimplexSGDClassifier

MODELS = {
    "boosting": SimplexBoostingClassifier(random_state=0),
    "HistGradientBoosting": HistGradientBoostingClassifier(random_state=0),
    "SGD": SimplexSGDClassifier(random_state=0),
}


def logs(model, fold):
    """Log-probabilities of the test rows, and where those of their own classes stand."""
    X, y, Xt, yt = fold
    P = model.fit(X, y).predict_proba(Xt)
    places = np.arange(len(yt)), np.searchsorted(model.classes_, yt)
    return np.log(np.maximum(P, np.finfo(float).tiny)), places


def loss(L, places):
    return -float(L[places].mean())


def row(drawn):
    """Multiples as given and in hindsight of each model, and the least probability of it."""
    every = [fold for table in drawn for fold in folds(*table)]
    theirs = np.mean([loss(*logs(LogisticRegression(max_iter=1000), fold)) for fold in every])
    cells = []
    for model in MODELS.values():
        found = [logs(model, fold) for fold in every]
        given = np.mean([loss(*one) for one in found])
        best = np.mean([loss(best_temperature(*one), one[1]) for one in found])
        least = np.exp(min(L.min() for L, _ in found))
        cells += [f"{given / theirs:.2f}", f"{best / theirs:.2f}", f"{least:.0e}"]
    return cells


def main():
    heads = [f"{name}{part}" for name in MODELS for part in ("", ", in hindsight", ", least p")]
    print("|", " | ".join(["rows", *heads]), "|")
    print("|---|" + "---:|" * len(heads))
    for name, drawn in tables(False).items():
        print("|", " | ".join([name, *row(drawn)]), "|", flush=True)


if __name__ == "__main__":
    main()
