"""
A hundred alphas from one factorisation
=======================================

The kernel matrix is factorised once. Every value of the regularisation then has its exact
leave-one-out score, and the best one is kept: no folds, no refits, no validation set.
"""

# %%
# Fit and look at the path
# ------------------------

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.plots import PathDisplay

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0, stratify=y)

model = SimplexRidgeClassifier(kernel="rbf").fit(X_train, y_train)
PathDisplay.from_estimator(model)

# %%
# The left-out score is an honest guess of the score on new rows.

print(f"left out  {model.best_score_:.4f}")
print(f"test rows {model.score(X_test, y_test):.4f}")
