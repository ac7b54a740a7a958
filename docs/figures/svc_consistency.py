"""Draw docs/figures/svc_consistency.png: excess error over the Bayes rule as rows are added.

Run from the root of the repository, a few minutes: python docs/figures/svc_consistency.py
"""

import warnings
from pathlib import Path

import matplotlib
import numpy as np

from simplexcoding import SimplexSVC

matplotlib.use("Agg")
import matplotlib.pyplot as plt

SIZES = (50, 100, 200, 400, 800, 1600, 3200)
DRAWS = 8
MACHINES = {
    "cone": ("cone", True, "o-"),
    "half-space, hull": ("half_space", True, "s-"),
    "logistic": ("logistic", True, "^-"),
    "half-space, no hull": ("half_space", False, "D--"),
}
SITES = np.arange(24)[:, None] / 24


def probabilities(x):
    """Three classes at 24 sites of a circle: the three waves sum to one."""
    return (1 + 0.8 * np.cos(2 * np.pi * (x - np.arange(3) / 3))) / 3


def excess(loss, hull, n, seed):
    """Misclassification above that of the Bayes rule, over the sites."""
    rng = np.random.default_rng([n, seed])
    x = rng.choice(SITES[:, 0], size=(n, 1))
    y = (rng.uniform(size=(n, 1)) > probabilities(x).cumsum(axis=1)).sum(axis=1)
    # A width below the distance of two sites, and lambda = 1/(2n): the limit of the loss itself.
    model = SimplexSVC(loss, hull=hull, gamma=2000.0, C=1.0).fit(x, y)
    P = probabilities(SITES)
    return (P.max(axis=1) - P[np.arange(len(P)), model.predict(SITES)]).mean()


def main():
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
    for k, colour in enumerate(("tab:blue", "tab:red", "tab:green")):
        left.plot(SITES, probabilities(SITES)[:, k], "o-", ms=3, color=colour, label=f"class {k}")
    left.set(xlabel="x", ylabel="probability", title="The distribution", ylim=(0, 0.8))
    left.legend(ncols=3, loc="upper center")
    for label, (loss, hull, style) in MACHINES.items():
        means = []
        for n in SIZES:
            values = [100 * excess(loss, hull, n, seed) for seed in range(DRAWS)]
            means.append(np.mean(values))
        right.plot(SIZES, means, style, label=label)
        print(label, np.round(means, 2), flush=True)
    right.set(xscale="log", xlabel="rows", title="Above the error of the Bayes rule, points")
    right.set_xticks(SIZES, [str(n) for n in SIZES], minor=False)
    right.minorticks_off()
    right.set_ylim(bottom=0)
    right.legend()
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=80)


if __name__ == "__main__":
    warnings.filterwarnings("ignore", message="half_space with hull=False")
    main()
