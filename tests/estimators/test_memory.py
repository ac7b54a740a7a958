import numpy as np
import pytest

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.design import Moments
from simplexcoding.estimators.memory import can_update

rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 3)), rng.integers(3, size=60)


def test_only_finite_features_with_steady_weights_can_change():
    assert can_update(SimplexRidgeClassifier())
    assert can_update(SimplexRidgeClassifier("rbf", landmarks=5))
    assert can_update(SimplexRidgeClassifier(class_weight={0: 1.0}))
    for model in (
        SimplexRidgeClassifier("rbf"),
        SimplexRidgeClassifier("rbf", landmarks=None),
        SimplexRidgeClassifier("precomputed", landmarks=5),
        SimplexRidgeClassifier(class_weight="balanced"),
    ):
        assert not can_update(model)
        assert not hasattr(model, "partial_fit") and not hasattr(model, "forget")


def test_moments_are_updated_not_made_again(monkeypatch):
    memory = SimplexRidgeClassifier().fit(X, y)._memory
    seen = []
    of = Moments.of.__func__
    monkeypatch.setattr(
        Moments, "of", classmethod(lambda cls, A, *rest: seen.append(len(A)) or of(cls, A, *rest))
    )
    rows, problem = memory.joined(X[:4], y[:4], None)
    assert problem.moments.total == 64 and len(rows.y) == 64
    rows, problem = memory.without(np.array([0, 7, 9]))
    assert problem.moments.total == 57
    assert seen == [4, 3]


def test_a_landmark_cannot_be_forgotten():
    model = SimplexRidgeClassifier("rbf", landmarks=5).fit(X, y)
    with pytest.raises(ValueError, match="a landmark: its values are part of the model"):
        model.forget([model.landmark_indices_[2]])
