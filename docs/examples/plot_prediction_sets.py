"""
Sets of classes that hold the true one nine times in ten
========================================================

A prediction that may name several classes says how sure it is. Left-out scores set the threshold,
so every row serves both the fit and the calibration.
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.plots import ReliabilityDisplay, SetSizeDisplay

# %%
# A third of the pixels of the digits, and a linear model: it is often unsure.
X, y = load_digits(return_X_y=True)
X = X[:, 2::3]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
model = SimplexRidgeClassifier(kernel="linear").fit(X_train, y_train)
print(f"accuracy {model.score(X_test, y_test):.3f}")

# %%
# Sets that should hold the right digit for nine rows in ten. No set is empty.
sets = model.predict_set(X_test, coverage=0.9)
held = sets[np.arange(len(y_test)), y_test]
print(f"coverage {held.mean():.3f}, average size {sets.sum(axis=1).mean():.2f}")
for row in range(5):
    print(y_test[row], "in", model.classes_[sets[row]])

# %%
# Coverage of each class, without and with a threshold for each.
by_class = model.predict_set(X_test, coverage=0.9, class_conditional=True)
for name, found in (("one threshold", sets), ("one per class", by_class)):
    hits = found[np.arange(len(y_test)), y_test]
    rates = [hits[y_test == k].mean() for k in range(10)]
    print(f"{name:14} from {min(rates):.2f} to {max(rates):.2f}")

# %%
# What coverage costs. Below the accuracy nothing: one class is always in.
display = SetSizeDisplay.from_estimator(model, X_test, y_test)
display.figure_.suptitle("Size of the sets against the coverage asked for")

# %%
# The probabilities behind the sets, against what left-out rows turned out to be.
display = ReliabilityDisplay.from_left_out(model, y_train)
display.figure_.suptitle("Reliability of the probabilities on left-out rows")
