import numpy as np
import pytest

from simplexcoding.estimators.classifier import SimplexClassifier


class Nearest(SimplexClassifier):
    """Scores are minus the squared distances to the weighted class means, centred."""

    def __init__(self, class_weight=None):
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        rows = self._training_set(X, y, sample_weight)
        self.classes_ = rows.classes
        w = np.ones(len(rows.y)) if rows.weights is None else rows.weights
        self.weights_ = rows.weights
        self.means_ = np.array(
            [np.average(rows.X[rows.y == k], axis=0, weights=w[rows.y == k]) for k in set(rows.y)]
        )
        return self

    def _scores(self, X):
        S = -((X[:, None] - self.means_) ** 2).sum(axis=2)
        return S - S.mean(axis=1, keepdims=True)


X = np.array([[0.0], [0.1], [5.0], [5.1], [9.0]])
y = np.array(["b", "b", "a", "a", "c"])


def test_decisions_follow_the_largest_score():
    model = Nearest().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.decision_function(X).shape == (5, 3)
    assert model.weights_ is None


def test_two_classes_have_one_column_whose_sign_is_for_the_second():
    model = Nearest().fit(X[:4], y[:4])
    decision = model.decision_function(X[:4])
    assert decision.shape == (4,)
    assert (decision > 0).tolist() == [label == model.classes_[1] for label in y[:4]]


def test_balanced_weights_from_weights_equal_those_from_repeated_rows():
    w = np.array([1, 2, 3, 1, 1])
    weighted = Nearest(class_weight="balanced").fit(X, y, w).weights_
    repeated = Nearest(class_weight="balanced").fit(X.repeat(w, 0), y.repeat(w)).weights_
    assert np.allclose(weighted, np.add.reduceat(repeated, np.cumsum(w) - w))


def test_class_weights_multiply_sample_weights():
    model = Nearest(class_weight={"a": 3.0, "b": 1.0, "c": 1.0}).fit(X, y, [1, 1, 2, 1, 1])
    assert model.weights_.tolist() == [1, 1, 6, 3, 1]


@pytest.mark.parametrize(
    ("labels", "weights", "words"),
    [
        (["a"] * 5, None, "at least two classes, got one class: a"),
        (y, [1, 1, 0, 0, 0], "at least two classes, got one class: b"),
        (y, [0, 0, 0, 0, 0], "zero"),
        (y, [1, 1, 1, 1, -2], "sample_weight must not be negative, got -2"),
        ([0.5, 1.5, 2.5, 3.5, 4.5], None, "continuous"),
    ],
)
def test_misuse_is_named_and_changes_nothing(labels, weights, words):
    model = Nearest().fit(X, y)
    with pytest.raises(ValueError, match=words):
        model.fit(X, labels, weights)
    assert model.classes_.tolist() == ["a", "b", "c"]


def test_rows_of_weight_zero_are_as_if_absent():
    some = Nearest().fit(X, y, [1, 0, 1, 1, 0])
    fewer = Nearest().fit(X[[0, 2, 3]], y[[0, 2, 3]])
    assert some.classes_.tolist() == fewer.classes_.tolist() == ["a", "b"]
    assert np.allclose(some.means_, fewer.means_)


def test_class_weight_misuse_is_named():
    with pytest.raises(ValueError, match="class_weight must be positive, got -1"):
        Nearest(class_weight={"a": -1.0}).fit(X, y)
