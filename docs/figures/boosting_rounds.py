"""Draw docs/figures/boosting_rounds.png: test error against rounds on the UCI sets.

Run from the root of the repository, about five minutes: python docs/figures/boosting_rounds.py
It needs the data of benchmarks/data.py and prints the accuracies it draws.
"""

import sys
from pathlib import Path

import matplotlib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.data import load
from simplexcoding import SimplexBoostingClassifier

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROUNDS = 1000
MARKS = (100, 200, 400, 600, 800, 1000)
SETS = {
    "satimage": "Landsat",
    "letter": "Letter",
    "pendigits": "Pendigits",
    "optdigits": "Optdigits",
    "isolet": "Isolet",
}
# What differs from the defaults: a draw of the 617 features of isolet for each round.
DRAWS = {"isolet": "sqrt"}
TICKS = np.array([2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 30, 40])
METHODS = {"gradient": "gradient, depth 2", "coordinate": "coordinate, stumps"}


def errors(name, method):
    """Test error in per cent after each round."""
    arrays = load(name)
    model = SimplexBoostingClassifier(
        loss="exponential",
        method=method,
        n_estimators=ROUNDS,
        max_features=DRAWS.get(name),
        random_state=0,
    )
    model.fit(arrays["X_train"].astype(float), arrays["y_train"])
    staged = model.staged_predict(arrays["X_test"].astype(float))
    return np.array([100 * np.mean(guess != arrays["y_test"]) for guess in staged])


def main():
    figure, axes = plt.subplots(1, len(SETS), figsize=(12.5, 2.9), constrained_layout=True)
    for axis, (name, title) in zip(axes, SETS.items(), strict=True):
        for method, label in METHODS.items():
            curve = errors(name, method)
            axis.plot(np.arange(1, len(curve) + 1), curve, label=label, linewidth=1.2)
            shown = ", ".join(f"{r}: {100 - curve[r - 1]:.2f}" for r in MARKS if r <= len(curve))
            print(f"{title}, {method}: accuracy after {shown}", flush=True)
        axis.set(title=title, xlabel="rounds", xscale="log", yscale="log")
        axis.set_xlim(10, ROUNDS)
        inside = [line.get_ydata()[9:] for line in axis.lines]
        low, high = 0.9 * min(map(np.min, inside)), 1.05 * max(map(np.max, inside))
        axis.set_ylim(low, high)
        axis.set_yticks(TICKS[(low < TICKS) & (high > TICKS)])
        axis.set_xticks([10, 100, 1000])
        for side in (axis.xaxis, axis.yaxis):
            side.set_major_formatter("{x:g}")
            side.set_minor_formatter("")
        axis.grid(alpha=0.3, linewidth=0.5)
    axes[0].set_ylabel("test error, %")
    axes[-1].legend(fontsize=8)
    figure.savefig(Path(__file__).with_suffix(".png"), dpi=100)


if __name__ == "__main__":
    main()
