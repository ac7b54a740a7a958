"""
Leave-one-out with certainty
============================

How often would the machine err on a row that it has not seen? Refitting without each row answers,
at the price of as many fits. A margin machine bounds the answer from one fit: the function without
a row lies in a ball that the row's dual and the duality gap name.
"""

# %%
# Three classes in the plane
# --------------------------
# ``leave_one_out_bounds_`` is the share of rows that are certainly wrong when left out, and that of
# all but the certainly right. Rows whose dual is zero move nothing, so only the others are refitted
# to see the truth.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from simplexcoding import SimplexSVC

X, y = make_blobs(90, centers=3, cluster_std=2.6, random_state=6)


def leave_one_out_error(model):
    wrong = model.predict(X) != y
    for i in model.support_:
        rest = np.arange(len(y)) != i
        alone = SimplexSVC(C=model.C_, gamma=model.gamma_).fit(X[rest], y[rest])
        wrong[i] = alone.predict(X[i : i + 1])[0] != y[i]
    return wrong.mean()


costs = 10.0 ** np.arange(-2, 1.1, 0.5)
models = [SimplexSVC(C=cost).fit(X, y) for cost in costs]
bounds = np.array([model.leave_one_out_bounds_ for model in models])
truth = np.array([leave_one_out_error(model) for model in models])
for cost, (low, high), error in zip(costs, bounds, truth, strict=True):
    print(f"C = {cost:<6.3g}  {low:.3f} <= {error:.3f} <= {high:.3f}")

# %%
# A band that holds
# -----------------
# The refits are never outside it. While C is small the duals are small, and the balls with them:
# the band is narrow. It is a bound and no estimate; where it is wide, ``left_out_scores_`` with
# ``calibration="temperature"`` estimate the error from five folds.
fig, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
ax.fill_between(costs, bounds[:, 0], bounds[:, 1], color="#1f77b4", alpha=0.2, lw=0, label="bounds")
ax.plot(costs, bounds, color="#1f77b4", lw=1.0)
ax.plot(costs, truth, "o-", color="#d62728", ms=4, lw=1.5, label="refits without each row")
ax.set(xscale="log", xlabel="C", ylabel="leave-one-out error")
ax.set_ylim(0, 1.1 * bounds.max())
ax.grid(color="0.92", lw=0.8)
ax.legend(frameon=False, loc="upper left")
plt.show()
