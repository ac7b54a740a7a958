"""What a user does first, in an environment that holds the package and its dependencies only."""

from importlib.metadata import distribution

from sklearn.datasets import load_iris

import simplexcoding
from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
    audit_labels,
)

X, y = load_iris(return_X_y=True)
for model in (
    SimplexRidgeClassifier(),
    SimplexRidgeClassifier(kernel="rbf"),
    SimplexSVC(),
    SimplexSGDClassifier(random_state=0),
    SimplexBoostingClassifier(n_estimators=20),
):
    accuracy = model.fit(X, y).score(X, y)
    print(f"{accuracy:.3f}  {model}")
    assert accuracy > 0.8, model
assert len(audit_labels(SimplexRidgeClassifier(kernel="rbf").fit(X, y), y).row) == 150
assert "py.typed" in {path.name for path in distribution("simplexcoding").files}, "no types"
for name in simplexcoding.__all__:
    getattr(simplexcoding, name)
