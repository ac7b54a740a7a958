"""
Leave-one-out with certainty
============================

How often would the machine err on a row that it has not seen? Refitting without each row answers,
at the price of as many fits. A margin machine bounds the answer from one fit, for the function
without a row lies in a ball that the row's dual and the duality gap name; and it estimates the
answer by Newton's method from the machine of all rows.
"""

# %%
# Three classes in the plane
# --------------------------
# ``leave_one_out_bounds_`` is the share of rows that are certainly wrong when left out, and that of
# all but the certainly right. ``leave_one_out_error(X, y)`` estimates the share itself. Rows whose
# dual is zero move nothing, so only the others are refitted to see the truth.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from simplexcoding import SimplexSVC

X, y = make_blobs(90, centers=3, cluster_std=2.6, random_state=6)


def refitted_error(model):
    wrong = model.predict(X) != y
    for i in model.support_:
        rest = np.arange(len(y)) != i
        alone = SimplexSVC(C=model.C_, gamma=model.gamma_).fit(X[rest], y[rest])
        wrong[i] = alone.predict(X[i : i + 1])[0] != y[i]
    return wrong.mean()


costs = 10.0 ** np.arange(-2, 1.1, 0.5)
models = [SimplexSVC(C=cost).fit(X, y) for cost in costs]
bounds = np.array([model.leave_one_out_bounds_ for model in models])
estimate = np.array([model.leave_one_out_error(X, y) for model in models])
truth = np.array([refitted_error(model) for model in models])
for cost, (low, high), guess, error in zip(costs, bounds, estimate, truth, strict=True):
    print(f"C = {cost:<6.3g}  {low:.3f} <= {error:.3f} <= {high:.3f}, estimated {guess:.3f}")

# %%
# A band that holds, and a line inside it
# ---------------------------------------
# The refits are never outside the band. While C is small the duals are small, and the balls with
# them: the band is narrow. Where it is wide the estimate tells more, and promises less.
fig, ax = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
ax.fill_between(costs, bounds[:, 0], bounds[:, 1], color="#1f77b4", alpha=0.2, lw=0, label="bounds")
ax.plot(costs, bounds, color="#1f77b4", lw=1.0)
ax.plot(costs, truth, "-", color="#d62728", lw=1.5, label="refits without each row")
ax.plot(costs, estimate, "o", mfc="none", mec="#222222", ms=7, mew=1.5, label="estimate")
ax.set(xscale="log", xlabel="C", ylabel="leave-one-out error")
ax.set_title("Refits without each row stay inside the bounds")
ax.set_ylim(0, 1.1 * bounds.max())
ax.grid(color="0.92", lw=0.8)
ax.legend(frameon=False, loc="upper left")
plt.show()
