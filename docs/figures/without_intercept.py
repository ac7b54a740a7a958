"""Linear least squares on raw features with an intercept and without, beside the paper's row.

python docs/figures/without_intercept.py FOLDER
"""

import sys

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.datasets import load

PAPER = {"landsat": 65.88, "optdigit": 91.90, "pendigit": 80.69, "letter": 54.96, "isolet": 92.55}

print("| S-LS batch | " + " | ".join(PAPER) + " |")
print("| --- |" + " ---: |" * len(PAPER))
print("| the paper | " + " | ".join(f"{value:.2f}" for value in PAPER.values()) + " |")
splits = [load(name, sys.argv[1]) for name in PAPER]
for title, intercept in (("with an intercept", True), ("without", False)):
    values = []
    for split in splits:
        model = SimplexRidgeClassifier("linear", fit_intercept=intercept)
        model.fit(split.X_train, split.y_train)
        values.append(100 * model.score(split.X_test, split.y_test))
    print(f"| {title} | " + " | ".join(f"{value:.2f}" for value in values) + " |")
