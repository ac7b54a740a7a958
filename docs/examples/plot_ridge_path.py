"""
A regularisation path with exact leave-one-out
==============================================

One factorisation gives every regularisation strength and, at each, the prediction of every
training row by the model fitted without it. No validation set is spent.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.plots import PathDisplay

# %%
# Fit on half of the digits. The width of the kernel is the quantile rule's, alpha is chosen by
# leave-one-out accuracy over a hundred values.
X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
model = SimplexRidgeClassifier("rbf").fit(X_train, y_train)
print(f"alpha = {model.alpha_:.2g}, left-out accuracy {model.best_score_:.3f}")
print(f"test accuracy {model.score(X_test, y_test):.3f}")

# %%
# The left-out error and the effective dimension along the path.
display = PathDisplay.from_estimator(model)
display.figure_.suptitle("Left-out error and effective dimension along alpha")

# %%
# The left-out scores are kept. Those of whole folds come from the same factorisation.
folds = model.cross_val_scores(cv=5)
print(f"five-fold accuracy, without a refit: {(folds.argmax(axis=1) == y_train).mean():.3f}")
