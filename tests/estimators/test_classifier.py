import numpy as np
import pytest
from sklearn.datasets import load_iris

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.estimators.classifier import SimplexClassifier
from simplexcoding.functions import Ensemble, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel


class Nearest(SimplexClassifier):
    """Scores are half of minus the squared distances to the weighted class means, centred."""

    def __init__(self, class_weight=None):
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        training = self._training(X, y, sample_weight)
        rows, self.classes_ = training.rows, training.classes
        self.weights_ = rows.weights
        self.means_ = rows.class_sums(rows.X) / rows.class_totals[:, None]
        W, b = self.means_.T, -np.square(self.means_).sum(axis=1) / 2
        self.function_ = LinearFunction(W - W.mean(axis=1, keepdims=True), b - b.mean())
        return self


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


def test_coefficients_are_those_of_the_function_folded_for_two_classes():
    model = Nearest()
    assert not hasattr(model, "coef_")
    model.fit(X, y)
    assert model.coef_.shape == (3, 1) and model.intercept_.shape == (3,)
    assert np.allclose(X @ model.coef_.T + model.intercept_, model.decision_function(X))
    assert not hasattr(model, "dual_coef_") and not hasattr(model, "X_fit_")
    model.fit(X[:4], y[:4])
    assert model.coef_.shape == (1, 1) and model.intercept_.shape == (1,)
    assert np.allclose(X @ model.coef_[0] + model.intercept_, model.decision_function(X))


def test_kernel_expansions_have_dual_coefficients_on_their_rows():
    model = Nearest().fit(X, y)
    A = np.eye(5)[:, :3] - 1 / 3
    model.function_ = KernelExpansion(Kernel("rbf"), X, A, np.zeros(3))
    with pytest.raises(
        AttributeError, match=r"no coef_: LinearFunction has it, .* KernelExpansion"
    ):
        _ = model.coef_
    assert np.array_equal(model.dual_coef_, A) and model.X_fit_ is X
    model.function_ = KernelExpansion(Kernel("precomputed"), np.arange(5), A, np.zeros(3))
    assert not hasattr(model, "X_fit_")
    model.function_ = Ensemble([], 3)
    assert not hasattr(model, "intercept_")
    assert model.decision_function(X).tolist() == np.zeros((5, 3)).tolist()


def test_rows_know_their_place_among_the_callers():
    training = Nearest()._training(X, y, [1, 0, 1, 1, 0])
    assert training.numbers.tolist() == [0, 2, 3]
    assert training.labels.tolist() == ["b", "a", "a"]
    assert training.others.tolist() == [[0.1], [9.0]]
    assert Nearest()._training(X, y).numbers.tolist() == [0, 1, 2, 3, 4]


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
        (y, [1, 1, 1, 1, 1e300], "largest must lie between 1e-30 and 1e.30, got 1e.300"),
        (y, [1e-300] * 5, "got 1e-300; divide all by it"),
        ([0.5, 1.5, 2.5, 3.5, 4.5], None, "continuous"),
        ([0, 0, "a", "a", "c"], None, "labels of one kind, got strings and others"),
        (np.array([0, 0, "a", "a", "c"], dtype=object), None, "labels of one kind"),
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
    with pytest.raises(ValueError, match=r"class_weight.* got 1e.300"):
        Nearest(class_weight={"a": 1e300}).fit(X, y)


def test_rows_whose_scores_overflow_are_refused_and_get_no_class():
    A, b = load_iris(return_X_y=True)
    model = SimplexRidgeClassifier("poly", alphas=1.0).fit(A, b)
    for method in (model.predict, model.decision_function, model.predict_proba, model.predict_set):
        with (
            np.errstate(over="ignore", invalid="ignore"),
            pytest.raises(ValueError, match="scores overflow"),
        ):
            method(1e150 * A)
