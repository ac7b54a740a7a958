"""
Learning from a stream, behind a feature map
============================================

The paper's online methods are linear. A finite-dimensional feature map in front of them,
scikit-learn's Nystroem or RBFSampler, makes them non-linear at a cost that does not grow
with the rows seen. `partial_fit` continues the stream exactly: the result does not depend
on how the rows are cut into calls, and new labels may come at any time.
"""

# %%
# The maps are fitted once, on the first rows. Then the rows arrive in batches of 50.
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from simplexcoding import SimplexSGDClassifier

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X / 16.0, y, test_size=500, random_state=0)

maps = {
    "raw pixels": FunctionTransformer(),
    "RBFSampler, 300 features": RBFSampler(gamma=0.5, n_components=300, random_state=0),
    "Nystroem, 300 features": Nystroem(gamma=0.5, n_components=300, random_state=0),
}
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for label, features in maps.items():
    features.fit(X[:300])
    model = SimplexSGDClassifier("logistic", alpha=1e-5)
    seen, accuracy = [], []
    for start in range(0, len(y), 50):
        rows = slice(start, start + 50)
        model.partial_fit(features.transform(X[rows]), y[rows])
        seen.append(model.t_)
        accuracy.append(model.score(features.transform(X_test), y_test))
    axes.plot(seen, accuracy, label=label)
    print(f"{label}: {accuracy[-1]:.3f} after {model.t_} rows")
axes.set(xlabel="rows seen", ylabel="test accuracy", title="One pass over digits, by features")
axes.legend()

# %%
# With all rows at hand the same model is a step of a pipeline.
pipeline = make_pipeline(maps["Nystroem, 300 features"], model.set_params(max_iter=30, tol=None))
print(f"pipeline: {pipeline.fit(X, y).score(X_test, y_test):.3f}")

# %%
# A new class enters with score zero, and the others keep their scores.
model = SimplexSGDClassifier("logistic", alpha=1e-5).partial_fit(X[y < 9], y[y < 9])
before = model.predict(X_test[y_test < 9])
model.partial_fit(X, y)
print(f"classes now {len(model.classes_)}, accuracy {model.score(X_test, y_test):.3f}")
print(f"before, on the old classes: {np.mean(before == y_test[y_test < 9]):.3f}")
plt.show()
