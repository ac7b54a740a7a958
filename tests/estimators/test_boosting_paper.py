"""The boosting rows of the paper's table, on its own data."""

import pytest

from reference.official import official
from simplexcoding import SimplexBoostingClassifier


@pytest.mark.parametrize(
    ("name", "way", "rounds", "bar"),
    [
        ("landsat", "gradient", 200, 88.1),
        ("landsat", "coordinate", 100, 86.0),
        ("pendigit", "gradient", 150, 95.5),
        ("letter", "gradient", 120, 84.2),
    ],
)
def test_published_accuracies_less_a_point(name, way, rounds, bar):
    split = official(name)
    model = SimplexBoostingClassifier("exponential", way, n_estimators=rounds)
    model.fit(split.X_train, split.y_train)
    assert 100 * model.score(split.X_test, split.y_test) >= bar
