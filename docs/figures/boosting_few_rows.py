"""How many features a round of boosting draws where rows are few: fixed sizes, and the choice.

python docs/figures/boosting_few_rows.py

Accuracy in per cent / log-loss over three folds; with five rows per class over
three draws of them. The folds are others than those of `make bench ONLY=calibration_small`.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine, make_classification
from sklearn.model_selection import StratifiedKFold

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.solvers.boosting import draws_to_try

ROWS, DRAWS, SEED = 400, 3, 1
SIZES = ("4 sqrt(p)", "half", "a quarter", "an eighth")


def signs():
    """Two features of ten whose signs tell two classes together and neither alone."""
    X = np.random.default_rng(SEED).normal(size=(ROWS, 10))
    return X, ((X[:, 0] > 0) ^ (X[:, 1] > 0)).astype(int)


def three_of_sixty():
    return make_classification(
        ROWS,
        60,
        n_informative=3,
        n_redundant=0,
        n_classes=3,
        n_clusters_per_class=1,
        random_state=3,
    )


SETS = {
    "iris": lambda: load_iris(return_X_y=True),
    "wine": lambda: load_wine(return_X_y=True),
    "two features of ten, by their signs": signs,
    "three features of sixty": three_of_sixty,
}
FIVE = {
    "iris": SETS["iris"],
    "wine": SETS["wine"],
    "breast cancer": lambda: load_breast_cancer(return_X_y=True),
}


def tables(name):
    if name in SETS:
        return [SETS[name]()]
    X, y = FIVE[name.removesuffix(", five per class")]()
    found = []
    for seed in range(1000, 1000 + DRAWS):
        rng = np.random.default_rng(seed)
        rows = [rng.choice(np.flatnonzero(y == k), 5, replace=False) for k in np.unique(y)]
        found.append((X[np.concatenate(rows)], y[np.concatenate(rows)]))
    return found


def cell(name, place):
    """Of the size at a place among those tried, or of the choice."""
    right, losses = [], []
    for X, y in tables(name):
        sizes = draws_to_try(X.shape[1])
        if place is not None and place >= len(sizes):
            return ""
        for train, test in StratifiedKFold(3, shuffle=True, random_state=SEED).split(X, y):
            size = "auto" if place is None else sizes[place]
            model = SimplexBoostingClassifier(max_features=size, random_state=0)
            P = model.fit(X[train], y[train]).predict_proba(X[test])
            right.append(np.mean(P.argmax(axis=1) == y[test]))
            losses.append(-np.log(P[np.arange(len(test)), y[test]]).mean())
    return f"{100 * np.mean(right):.1f} / {np.mean(losses):.3f}"


def main():
    print("|", " | ".join(["rows", *SIZES, "chosen"]), "|")
    print("|---|" + "---:|" * (len(SIZES) + 1))
    for name in (*SETS, *(f"{one}, five per class" for one in FIVE)):
        cells = [cell(name, place) for place in (0, 1, 2, 3, None)]
        print("|", " | ".join([name, *cells]), "|", flush=True)


if __name__ == "__main__":
    main()
