"""What a user does first, in an environment that holds the package and its dependencies only."""

import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

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
    SimplexSGDClassifier(tol=None, random_state=0),
    SimplexBoostingClassifier(n_estimators=20),
):
    accuracy = model.fit(X, y).score(X, y)
    print(f"{accuracy:.3f}  {model}")
    assert accuracy > 0.8, model
assert len(audit_labels(SimplexRidgeClassifier(kernel="rbf").fit(X, y), y).row) == 150
assert "py.typed" in {path.name for path in distribution("simplexcoding").files}, "no types"
for name in simplexcoding.__all__:
    getattr(simplexcoding, name)


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The installed program with its output."""
    found = Path(sys.executable).with_name("simplexcoding")
    return subprocess.run([found, *arguments], capture_output=True, text=True)


told = program("--version")
assert (told.returncode, told.stdout) == (0, f"simplexcoding {simplexcoding.__version__}\n"), told
# The extra is not installed here: one line names it.
told = program("fit", "flowers.csv", "--target", "species", "-o", "flowers.model")
assert told.returncode == 2 and told.stderr.count("\n") == 1, told
assert "pip install simplexcoding[cli]" in told.stderr, told
