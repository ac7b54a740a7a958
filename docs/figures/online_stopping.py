"""Choose when the online methods of the reproduction stop, on training rows alone.

Each rule learns from 80 % of the training rows of the five UCI sets, choosing lambda on a
fifth of those as the protocol says, and is judged on the other 20 %. Test rows are never
read. The rule of best mean accuracy over all sets, features and losses is the protocol's.

Run from the root of the repository, about half an hour: python docs/figures/online_stopping.py
It needs the data of `simplexcoding reproduce --data FOLDER` where SIMPLEXCODING_DATA points.
"""

import warnings

import numpy as np
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexSGDClassifier
from simplexcoding.datasets import load
from simplexcoding.experiments.protocol import Protocol

SETS = ("landsat", "optdigit", "pendigit", "letter", "isolet")
LOSSES = {"SC-SVM": "cone", "SH-SVM": "half_space", "S-LS": "least_squares"}
RULES = {
    "1 pass, refit": {"max_iter": 1, "tol": None},
    "5 passes, refit": {"max_iter": 5, "tol": None},
    "20 passes, refit": {"max_iter": 20, "tol": None},
    "held-out rows choose the pass": {"max_iter": 20, "early_stopping": True},
}
PROTOCOL = Protocol()


def accuracy(rule, loss, part):
    """Accuracy in per cent on rows that neither learning nor choosing has seen."""
    X_learn, X_judge, y_learn, y_judge = part
    model = SimplexSGDClassifier(
        loss=loss,
        alpha=PROTOCOL.lambdas(X_learn).tolist(),
        validation_fraction=PROTOCOL.hold_out,
        random_state=PROTOCOL.seed,
        verbose=False,
        **rule,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X_learn, y_learn)
    return 100 * model.score(X_judge, y_judge)


def main():
    found = {(rule, name): [] for rule in RULES for name in LOSSES}
    for dataset in SETS:
        split = load(dataset)
        for features in (split, split.standardised()):
            part = train_test_split(
                features.X_train, features.y_train, test_size=0.2, stratify=split.y_train,
                random_state=1,
            )  # fmt: skip
            for (rule, name), cells in found.items():
                cells.append(accuracy(RULES[rule], LOSSES[name], part))
                print(f"{dataset}, {rule}, {name}: {cells[-1]:.2f}", flush=True)
    print(f"| rule | {' | '.join(LOSSES)} | mean |\n| --- | ---: | ---: | ---: | ---: |")
    for rule in RULES:
        means = [np.mean(found[rule, name]) for name in LOSSES]
        print(f"| {rule} | {' | '.join(f'{m:.2f}' for m in [*means, np.mean(means)])} |")


if __name__ == "__main__":
    main()
