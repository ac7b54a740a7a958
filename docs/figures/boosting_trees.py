"""Leaves and coordinates of the published boosting methods: test accuracy in per cent.

python docs/figures/boosting_trees.py FOLDER
"""

import sys

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.datasets import load

SETS = ("landsat", "letter", "pendigit", "optdigit", "isolet")
COORDINATES = (("best", 200), ("best", 1000), ("all", 100), ("all", 200), ("all", 1000))


def accuracy(name, method, rounds, **options):
    split = load(name, sys.argv[1])
    wide = split.X_train.shape[1] > 100
    model = SimplexBoostingClassifier(
        "exponential",
        method,
        n_estimators=rounds,
        max_features="sqrt" if wide else None,
        random_state=0,
        verbose=False,
        **options,
    )
    model.fit(split.X_train, split.y_train)
    return f"{100 * model.score(split.X_test, split.y_test):.1f}"


print("| leaves | Landsat | Letter | Pendigits | Optdigits | Isolet |")
for leaves in ("vector", "vertex"):
    cells = [accuracy(name, "gradient", 200, leaves=leaves) for name in SETS]
    print(f"| {leaves} | {' | '.join(cells)} |", flush=True)
print("\n| coordinates a round | rounds | Letter | Optdigits |")
for coordinates, rounds in COORDINATES:
    cells = [
        accuracy(name, "coordinate", rounds, max_depth=1, coordinates=coordinates)
        for name in ("letter", "optdigit")
    ]
    print(f"| {coordinates} | {rounds} | {' | '.join(cells)} |", flush=True)
