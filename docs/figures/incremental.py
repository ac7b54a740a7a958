"""Classes that keep coming: measure what docs/incremental.md shows and draw its figure.

python docs/figures/incremental.py FOLDER
python docs/figures/tables.py

The first writes docs/incremental.json and draws it, the second writes the tables of it. Without
FOLDER what was measured is drawn again. FOLDER holds banking77_minilm.npz: 77 intents of
bank customers, sentences embedded. The classes come eleven at a time; after each arrival a model is
asked about the test rows of all classes so far. Seconds are of the processor, on one thread.
"""

import json
import sys
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from matplotlib.figure import Figure
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV, SGDClassifier
from threadpoolctl import threadpool_limits

from simplexcoding import SimplexRidgeClassifier, SimplexSGDClassifier

DOCS = Path(__file__).resolve().parents[1]
TARGET = DOCS / "_static" / "incremental.png"
RESULTS = DOCS / "incremental.json"
STEP = 11
EXACT = "ridge, exact partial_fit"
RBF = "rbf ridge on landmarks of the first classes, exact partial_fit"


def refit(make):
    """A learner that fits a new model to all rows so far."""

    def learn(model, new, seen):
        return make().fit(*seen)

    return learn


def go_on(make, **options):
    """A learner that sees the new rows only."""

    def learn(model, new, seen):
        return (make() if model is None else model).partial_fit(*new, **options)

    return learn


def measure():
    """Write docs/incremental.json."""
    with np.load(Path(sys.argv[1]) / "banking77_minilm.npz") as arrays:
        X, y = arrays["X_train"].astype(np.float64), arrays["y_train"]
        X_test, y_test = arrays["X_test"].astype(np.float64), arrays["y_test"]
    classes = np.arange(77)
    rng = np.random.default_rng(0)
    order = rng.permutation(classes)
    # The file is sorted by class, which no online method should be asked to bear.
    mixed = rng.permutation(len(y))
    X, y = X[mixed], y[mixed]
    learners = {
        EXACT: go_on(lambda: SimplexRidgeClassifier(kernel="linear")),
        RBF: go_on(lambda: SimplexRidgeClassifier(kernel="rbf", landmarks=1000)),
        "ridge, fitted again": refit(lambda: SimplexRidgeClassifier(kernel="linear")),
        "RidgeClassifierCV, fitted again": refit(
            lambda: RidgeClassifierCV(alphas=np.geomspace(1e-3, 1e3, 13))
        ),
        "LogisticRegression, fitted again": refit(lambda: LogisticRegression(max_iter=500)),
        "SimplexSGDClassifier, partial_fit": go_on(
            lambda: SimplexSGDClassifier("logistic", alpha=1e-5)
        ),
        "SGDClassifier, partial_fit": go_on(
            lambda: SGDClassifier("log_loss", alpha=1e-5, random_state=0), classes=classes
        ),
    }
    known = np.arange(STEP, 78, STEP)
    scores = {name: [] for name in learners}
    seconds = {name: [] for name in learners}
    models = dict.fromkeys(learners)
    for count in known:
        new = np.isin(y, order[count - STEP : count])
        seen = np.isin(y, order[:count])
        asked = np.isin(y_test, order[:count])
        for name, learn in learners.items():
            start = process_time()
            models[name] = learn(models[name], (X[new], y[new]), (X[seen], y[seen]))
            seconds[name].append(process_time() - start)
            scores[name].append(100 * models[name].score(X_test[asked], y_test[asked]))
    found = {
        "classes": known.tolist(),
        "accuracy": {name: [round(score, 2) for score in line] for name, line in scores.items()},
        "seconds": {name: round(sum(times), 2) for name, times in seconds.items()},
        "forget": forget(models[EXACT], X, y, order),
    }
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def forget(model, X, y, order):
    """Rows leave: a hundred of them, then a whole class, against a fit without them."""
    places = np.concatenate(
        [np.flatnonzero(np.isin(y, order[k : k + STEP])) for k in range(0, 77, STEP)]
    )
    found = {}
    drawn = np.random.default_rng(1).choice(len(places), 100, replace=False)
    for what in ("100 rows", "a class of the rest"):
        gone = drawn if what == "100 rows" else np.flatnonzero(y[places] == order[5])
        start = process_time()
        model.forget(gone)
        ours = process_time() - start
        places = np.delete(places, gone)
        start = process_time()
        again = SimplexRidgeClassifier(kernel="linear").fit(X[places], y[places])
        theirs = process_time() - start
        apart = np.abs(model.decision_function(X) - again.decision_function(X)).max()
        found[what] = {
            "difference": float(f"{apart:.2g}"),
            "seconds": round(ours, 3),
            "seconds of a new fit": round(theirs, 3),
        }
    return found


# What is drawn, with its colour, line and place beside the last point; tables have the rest.
LINES = {
    EXACT: ("#d55e00", "-", "ridge, exact partial_fit\n(fitted again: the same)", -9),
    RBF: ("#8a3d00", "-", "the same on rbf landmarks", 7),
    "LogisticRegression, fitted again": ("#888888", "--", None, 0),
    "SimplexSGDClassifier, partial_fit": ("#0072b2", "-", "SimplexSGDClassifier", 0),
    "SGDClassifier, partial_fit": ("#56b4e9", "-", "SGDClassifier", 0),
}


def draw():
    """The figure of docs/incremental.json."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    known = found["classes"]
    figure = Figure(figsize=(8.0, 4.2), layout="constrained")
    axes = figure.subplots()
    for name, (colour, style, words, shift) in LINES.items():
        line = found["accuracy"][name]
        axes.plot(known, line, style, marker="o", markersize=4, color=colour, lw=2, label=name)
        if words is not None:
            axes.annotate(
                words,
                (known[-1], line[-1]),
                (8, shift),
                textcoords="offset points",
                color=colour,
                va="center",
            )
    axes.set_xlabel("classes so far, eleven more at each step")
    axes.set_ylabel("test accuracy on them, %")
    axes.set_ylim(0, 100)
    axes.set_xlim(known[0] - 2, known[-1] + 27)
    axes.set_xticks(known)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    handle = axes.get_lines()[2]
    axes.legend([handle], ["LogisticRegression, fitted again"], loc="lower left", frameon=False)
    figure.savefig(TARGET, dpi=150)


if __name__ == "__main__":
    if sys.argv[1:]:
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")
            measure()
    draw()
