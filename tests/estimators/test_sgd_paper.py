"""The online rows of the paper's table, by its hold-out protocol on raw features."""

import os
from pathlib import Path

import numpy as np
import pytest

from simplexcoding import SimplexSGDClassifier

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
SETS = ("satimage", "optdigits", "pendigits", "letter", "isolet")
PAPER = {
    "half_space": (75.43, 85.58, 72.54, 38.40, 77.65),
    "least_squares": (63.62, 91.68, 81.39, 54.29, 92.62),
}
ALPHAS = [1e-4, 1e-3, 1e-2, 1e-1, 1.0]


def load(name):
    path = Path(os.environ.get("SIMPLEXCODING_DATA", FOLDER)) / f"{name}.npz"
    if not path.exists():
        pytest.skip(f"no {name}.npz; point SIMPLEXCODING_DATA to the folder that holds it")
    with np.load(path) as arrays:
        return {key: arrays[key] for key in ("X_train", "y_train", "X_test", "y_test")}


@pytest.mark.filterwarnings("ignore:loss=.half_space:UserWarning")
@pytest.mark.parametrize("loss", PAPER)
@pytest.mark.parametrize("name", SETS)
def test_accuracy_is_the_papers_less_at_most_a_point(name, loss):
    data = load(name)
    model = SimplexSGDClassifier(loss, ALPHAS, max_iter=5, tol=None, random_state=0)
    model.fit(data["X_train"].astype(np.float64), data["y_train"])
    reached = 100 * model.score(data["X_test"].astype(np.float64), data["y_test"])
    assert reached >= PAPER[loss][SETS.index(name)] - 1
