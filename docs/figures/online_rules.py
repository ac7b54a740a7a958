"""Bounded steps against the paper's plain ones, for every loss, on training rows alone.

Learns from 80 % of the training rows, standardised, five passes, alpha among 13 values from
10^-6 to 1 by a fifth of those rows, and judges on the other 20 %. Prints the table of
docs/online.md: mean accuracy in per cent over four sets.

python docs/figures/online_rules.py FOLDER
"""

import sys
import warnings

import numpy as np
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexSGDClassifier
from simplexcoding.datasets import load
from simplexcoding.losses import losses_offering

SETS = ("landsat", "optdigit", "pendigit", "letter")
RULES = {
    "bounded, average": {},
    "plain, mean": {"learning_rate": "pegasos"},
    "plain, last": {"learning_rate": "pegasos", "average": False},
}
ALPHAS = np.geomspace(1e-6, 1.0, 13).tolist()

warnings.simplefilter("ignore")
losses = losses_offering("row_step")
found = {(loss, rule): [] for loss in losses for rule in RULES}
for name in SETS:
    split = load(name, sys.argv[1]).standardised()
    X, X_judge, y, y_judge = train_test_split(
        split.X_train, split.y_train, test_size=0.2, stratify=split.y_train, random_state=1
    )
    for (loss, rule), cells in found.items():
        options = {"max_iter": 5, "tol": None, "random_state": 0, "verbose": False}
        model = SimplexSGDClassifier(loss, ALPHAS, **options, **RULES[rule]).fit(X, y)
        cells.append(100 * model.score(X_judge, y_judge))
print(f"| loss | {' | '.join(RULES)} |\n| --- | {' | '.join('---:' for _ in RULES)} |")
for loss in losses:
    print(f"| {loss} | {' | '.join(f'{np.mean(found[loss, rule]):.1f}' for rule in RULES)} |")
