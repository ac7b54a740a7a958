"""
One tree per round for all classes
==================================

Boosting usually grows one tree per class and round. Here the labels are the vertices of a simplex,
so one tree with vector-valued leaves serves all ten digits, and the step along it is exact.
"""

# %%
# Two ways to boost
# -----------------
# ``method="gradient"`` grows a depth-2 tree along the steepest descent of the risk.
# ``method="coordinate"`` grows a stump for each coordinate of R^9, all from one sweep of the data.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexBoostingClassifier

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)

models = {
    method: SimplexBoostingClassifier("exponential", method, n_estimators=150).fit(X_train, y_train)
    for method in ("gradient", "coordinate")
}
for method, model in models.items():
    print(f"{method}: test accuracy {100 * model.score(X_test, y_test):.1f} %")

# %%
# The risk never rises
# --------------------
# Every step is the exact minimiser along its tree, so the training risk falls from round to round;
# the test error goes on falling after the training error is zero.

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), constrained_layout=True)
for method, model in models.items():
    left.semilogy(model.train_score_, label=method)
    errors = [100 * np.mean(guess != y_test) for guess in model.staged_predict(X_test)]
    right.semilogy(errors, label=method)
figure.suptitle("Training risk and test error of two methods, round by round")
left.set(xlabel="rounds", ylabel="training risk")
right.set(xlabel="rounds", ylabel="test error, %")
right.legend()
plt.show()

# %%
# Where it looks
# --------------
# The fall of the risk is shared among the pixels that were split.

figure, axes = plt.subplots(1, 2, figsize=(5, 2.6), constrained_layout=True)
figure.suptitle("Importance of each pixel")
for axis, (method, model) in zip(axes, models.items(), strict=True):
    axis.imshow(model.feature_importances_.reshape(8, 8), cmap="viridis")
    axis.set(title=method, xticks=[], yticks=[])
plt.show()
