"""The boosting rows of the paper's table, on its own data."""

import os
from pathlib import Path

import numpy as np
import pytest

from simplexcoding import SimplexBoostingClassifier

FOLDER = Path(os.environ.get("SIMPLEXCODING_DATA", Path(__file__).parents[3] / "shared" / "data"))


@pytest.mark.skipif(
    not (FOLDER / "letter.npz").exists(), reason="no letter.npz: set SIMPLEXCODING_DATA"
)
@pytest.mark.parametrize(
    ("name", "way", "rounds", "bar"),
    [
        ("satimage", "gradient", 200, 88.1),
        ("satimage", "coordinate", 100, 86.0),
        ("pendigits", "gradient", 150, 95.5),
        ("letter", "gradient", 120, 84.2),
    ],
)
def test_published_accuracies_less_a_point(name, way, rounds, bar):
    with np.load(FOLDER / f"{name}.npz") as z:
        model = SimplexBoostingClassifier("exponential", way, n_estimators=rounds)
        model.fit(z["X_train"].astype(float), z["y_train"])
        accuracy = 100 * model.score(z["X_test"].astype(float), z["y_test"])
    assert accuracy >= bar
