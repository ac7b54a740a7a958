"""Test accuracy of every loss at the defaults, and after one pass, beside scikit-learn's.

Prints the table of docs/online.md, in per cent, standardised features; the first figure of a
cell is one pass, the second the fit at defaults.

python docs/figures/online_losses.py FOLDER
"""

import sys
import warnings

import numpy as np
from sklearn.linear_model import SGDClassifier

from simplexcoding import SimplexSGDClassifier
from simplexcoding.datasets import load
from simplexcoding.losses import losses_offering

SETS = ("landsat", "optdigit", "pendigit", "letter", "isolet")

warnings.simplefilter("ignore")
models = {
    loss: lambda loss=loss, **options: SimplexSGDClassifier(
        loss, random_state=0, verbose=False, **options
    )
    for loss in losses_offering("row_step")
}
for loss in ("hinge", "log_loss"):
    models[f"scikit-learn, {loss}"] = lambda loss=loss, **options: SGDClassifier(
        loss, random_state=0, **options
    )
splits = {name: load(name, sys.argv[1]).standardised() for name in SETS}
print(f"| loss | {' | '.join(SETS)} |\n| --- | {' | '.join('---:' for _ in SETS)} |")
for title, build in models.items():
    cells = []
    for split in splits.values():
        ends = [
            build(**options).fit(split.X_train, split.y_train).predict(split.X_test)
            for options in ({"max_iter": 1, "tol": None}, {})
        ]
        right = [100 * float(np.mean(answer == split.y_test)) for answer in ends]
        cells.append(" / ".join(f"{value:.1f}" for value in right))
    print(f"| {title} | {' | '.join(cells)} |", flush=True)
