"""Measure a head and its peers; draw docs/_static/gain.png and write the README's comparison.

python docs/figures/gain.py FOLDER [NAME ...] [--head]

FOLDER holds caltech101_clip.npz and banking77_minilm.npz, embeddings of pictures and of sentences.
Each method is run on one thread; its time, of the processor, holds the search of its parameters:
three folds over the grid below. The rows have unit length and are not scaled further. What is
measured goes to docs/figures/gain.json, one entry for each data set; without NAMEs figure and table
are made from what is there; with --head the peers keep what was measured before.
"""

import json
import sys
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter
from sklearn.linear_model import LogisticRegression, RidgeClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits

from simplexcoding import SimplexRidgeClassifier

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "gain.json"
TARGET = HERE.parent / "_static" / "gain.png"
README = HERE.parents[1] / "README.md"
BEGIN, END = "<!-- comparison: begin -->", "<!-- comparison: end -->"
TITLES = {
    "caltech101_clip": "pictures: 100 classes, 16 rows each",
    "banking77_minilm": "sentences: 77 classes, 10,003 rows",
}
HEAD = SimplexRidgeClassifier()
OURS = str(HEAD)
# In the order of the methods, the first ours.
LOOKS = [
    ("#d55e00", "*"),
    ("#0072b2", "o"),
    ("#009e73", "s"),
    ("#cc79a7", "D"),
    ("#56b4e9", "^"),
    ("#888888", "v"),
]
C = [0.1, 1.0, 10.0, 100.0]
PEERS = {
    "LogisticRegression": (LogisticRegression(max_iter=300), {"C": C}),
    "LinearSVC": (LinearSVC(), {"C": C[:2]}),
    "SVC": (SVC(), {"C": C[1:3], "gamma": ["scale", 1.0]}),
    "RidgeClassifierCV": (RidgeClassifierCV(np.geomspace(1e-3, 1e3, 13)), {}),
    "KNeighborsClassifier": (
        KNeighborsClassifier(),
        {"n_neighbors": [1, 5, 15], "weights": ["distance"]},
    ),
}


def measure(name, folder, before):
    with np.load(folder / f"{name}.npz") as arrays:
        X, y = arrays["X_train"].astype(np.float64), arrays["y_train"]
        X_test, y_test = arrays["X_test"].astype(np.float64), arrays["y_test"]
    methods = {OURS: HEAD}
    methods |= {name: GridSearchCV(*peer, cv=3) for name, peer in PEERS.items()}
    found = {}
    for method, model in methods.items():
        if method in before:
            found[method] = before[method]
            continue
        start = process_time()
        model.fit(X, y)
        seconds = process_time() - start
        found[method] = {"seconds": seconds, "accuracy": 100 * model.score(X_test, y_test)}
        if hasattr(model, "predict_proba"):
            found[method]["log_loss"] = log_loss(y_test, model.predict_proba(X_test))
        print(f"{name:18s} {method:24s}", {k: round(v, 3) for k, v in found[method].items()})
    return found


def draw(results):
    figure = Figure(figsize=(9.0, 4.6), layout="constrained")
    panels = figure.subplots(1, len(results), squeeze=False)[0]
    for axes, (name, found) in zip(panels, results.items(), strict=True):
        for (method, values), (colour, marker) in zip(found.items(), LOOKS, strict=True):
            axes.scatter(
                values["seconds"],
                values["accuracy"],
                s=160 if method == OURS else 70,
                color=colour,
                marker=marker,
                label=method if method == OURS else f"{method}, tuned",
                zorder=3,
            )
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 3.0)))
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.margins(x=0.12, y=0.12)
        axes.set_title(TITLES[name], fontsize=11)
        axes.set_xlabel("seconds of one processor, search included")
        axes.grid(alpha=0.3)
    panels[0].set_ylabel("test accuracy, %")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    figure.savefig(TARGET, dpi=110)


def table(results):
    """The README's comparison, one row for each method."""
    lines = ["| | " + " | ".join(TITLES[name] for name in results) + " |"]
    lines.append("|---|" + "---:|" * len(results))
    for method in next(iter(results.values())):
        name = f"**`{method}`**" if method == OURS else f"`{method}`, tuned"
        cells = [cell(found[method]) for found in results.values()]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(values):
    parts = [f"{values['accuracy']:.1f} %"]
    if "log_loss" in values:
        parts.append(f"{values['log_loss']:.3f}")
    return ", ".join([*parts, f"{values['seconds']:.1f} s"])


def write(results):
    text = README.read_text()
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    README.write_text(f"{before}{BEGIN}\n{table(results)}\n{END}{after}")


def main():
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    names = sys.argv[2:]
    head_only = "--head" in names
    for name in (name for name in names if name != "--head"):
        known = {method: results[name][method] for method in PEERS} if head_only else {}
        results[name] = measure(name, Path(sys.argv[1]), known)
    results = {name: results[name] for name in TITLES if name in results}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    draw(results)
    write(results)


if __name__ == "__main__":
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        main()
