"""What every estimator must satisfy, on its defaults and on the variants that change its path."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics.pairwise import rbf_kernel

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)

# One of each way through the code, with what it chooses by itself held fixed: a choice by
# left-out rows leaves a row of weight two out once, a row given twice as two rows.
MODELS = {
    "ridge": SimplexRidgeClassifier("linear", alphas=1.0),
    "ridge, rbf": SimplexRidgeClassifier("rbf", gamma=0.3, alphas=0.1),
    "ridge, vector": SimplexRidgeClassifier("linear", alphas=1.0, calibration="vector"),
    "ridge, auto": SimplexRidgeClassifier(),
    "ridge, alphas": SimplexRidgeClassifier("linear"),
    "ridge, landmarks": SimplexRidgeClassifier("rbf", gamma=0.3, alphas=0.1, landmarks=30),
    "ridge, cv": SimplexRidgeClassifier("linear", cv=3),
    "svc": SimplexSVC(gamma=0.3, tol=1e-7, verbose=False),
    "svc, hull": SimplexSVC("half_space", C=1.0, gamma=0.3, tol=1e-5, verbose=False),
    "svc, vector": SimplexSVC(C=1.0, gamma=0.3, tol=1e-7, calibration="vector", verbose=False),
    "svc, temperature": SimplexSVC(
        C=1.0, gamma=0.3, tol=1e-7, calibration="temperature", verbose=False
    ),
    "svc, landmarks": SimplexSVC(C=1.0, gamma=0.3, tol=1e-7, landmarks=30, verbose=False),
    "svc, linear": SimplexSVC("logistic", kernel="linear", tol=1e-7, verbose=False),
    "sgd": SimplexSGDClassifier(alpha=0.1, max_iter=600, tol=None, random_state=0),
    "sgd, squares": SimplexSGDClassifier(
        "least_squares", 0.1, max_iter=600, tol=None, random_state=0
    ),
    "newton": SimplexBoostingClassifier(random_state=0),
    "newton, all rounds": SimplexBoostingClassifier(
        n_estimators=20, early_stopping=False, random_state=0
    ),
    "boosting": SimplexBoostingClassifier(
        "exponential", "gradient", n_estimators=20, random_state=0
    ),
    "boosting, coordinate": SimplexBoostingClassifier(
        "exponential", "coordinate", n_estimators=20, random_state=0
    ),
}


def models(*without):
    """A parameter over all models, or all but some."""
    some = {name: model for name, model in MODELS.items() if name not in without}
    return pytest.mark.parametrize("model", some.values(), ids=some)


every_model = models()
# How near two ways to the same optimum come, next to scores of size one.
NEAR = {"ridge": 1e-9, "svc": 2e-3, "sgd": 0.01, "newton": 1e-4, "boosting": 1e-9}

X, y = make_blobs(90, n_features=4, centers=3, cluster_std=2.5, random_state=0)
X -= X.mean(axis=0)
NAMES = np.array(["ant", "bee", "cat"])
NEW = np.random.default_rng(1).normal(scale=4, size=(200, 4))


def near(model):
    """Tolerance of a model's family, scaled by its scores."""
    family = next(name.split(",")[0] for name, one in MODELS.items() if one is model)
    return NEAR[family]


def scores(model, rows=NEW):
    return model.decision_function(rows)


# Choices and decisions by left-out rows: two copies of a row do not leave together.
@models("ridge, vector", "ridge, auto", "ridge, alphas", "ridge, cv")
def test_integer_weights_are_repeated_rows(model):
    weights = np.random.default_rng(2).integers(1, 4, len(y))
    repeated = np.repeat(np.arange(len(y)), weights)
    weighted = clone(model).fit(X, y, sample_weight=weights)
    plain = clone(model).fit(X[repeated], y[repeated])
    size = np.abs(scores(plain)).max()
    assert np.abs(scores(weighted) - scores(plain)).max() <= near(model) * size
    # The tolerance sees weights: without them the scores are elsewhere.
    ignored = clone(model).fit(X, y)
    assert np.abs(scores(ignored) - scores(plain)).max() > 3 * near(model) * size


@every_model
def test_rows_of_weight_zero_are_as_if_absent(model):
    weights = np.random.default_rng(3).integers(0, 3, len(y)).astype(float)
    kept = weights > 0
    assert 10 < np.count_nonzero(~kept) < 50
    some = clone(model).fit(X, y, sample_weight=weights)
    fewer = clone(model).fit(X[kept], y[kept], sample_weight=weights[kept])
    assert np.array_equal(scores(some), scores(fewer))


@every_model
def test_a_class_whose_rows_all_weigh_nothing_is_as_if_absent(model):
    some = clone(model).fit(X, y, sample_weight=(y < 2).astype(float))
    fewer = clone(model).fit(X[y < 2], y[y < 2])
    assert some.classes_.tolist() == [0, 1]
    assert np.allclose(scores(some), scores(fewer), rtol=0, atol=1e-9)


@every_model
def test_class_weights_are_weights_of_rows(model):
    by_class = clone(model).set_params(class_weight={0: 1.0, 1: 3.0, 2: 0.5}).fit(X, y)
    by_row = clone(model).fit(X, y, sample_weight=np.array([1.0, 3.0, 0.5])[y])
    assert np.allclose(scores(by_class), scores(by_row), rtol=0, atol=1e-12)
    balanced = clone(model).set_params(class_weight="balanced").fit(X[10:], y[10:])
    # As scikit-learn has it, n / (T n_k), and to the last bit: iterations that stop at a
    # tolerance, and the calibration after them, multiply a difference in the last bit.
    by_size = 80 / (3 * np.bincount(y[10:]))
    by_hand = clone(model).fit(X[10:], y[10:], sample_weight=by_size[y[10:]])
    assert np.allclose(scores(balanced), scores(by_hand), rtol=0, atol=1e-12)


@every_model
def test_single_precision_stays_and_is_close(model):
    # Of the same values: which rows are drawn as landmarks depends on their bits.
    rounded = X.astype(np.float32)
    double = clone(model).fit(rounded.astype(float), y)
    single = clone(model).fit(rounded, y)
    found = scores(single, NEW.astype(np.float32))
    # Sums over hundreds of trees are taken in double precision, whatever the rows are.
    trees = isinstance(model, SimplexBoostingClassifier)
    assert found.dtype == (np.float64 if trees else np.float32)
    away = np.abs(found - scores(double))
    size = np.abs(scores(double)).max()
    # A threshold of a tree may fall on the other side of a rounded value, for a few rows.
    assert np.median(away) <= max(1e-3, near(model)) * size
    assert np.mean(single.predict(NEW.astype(np.float32)) == double.predict(NEW)) >= 0.98


@every_model
@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_are_arrays_with_names(model, kind):
    columns = ["a", "b", "c", "d"]
    frame = pd.DataFrame if kind == "pandas" else lambda data, columns: pl.DataFrame(data, columns)
    named = clone(model).fit(frame(X, columns=columns), pd.Series(NAMES[y]))
    plain = clone(model).fit(X, NAMES[y])
    assert named.feature_names_in_.tolist() == columns
    # Columns of a frame lie together in memory: sums are in another order.
    size = np.abs(scores(plain)).max()
    away = np.abs(scores(named, frame(NEW, columns=columns)) - scores(plain)).max()
    assert away <= 1e-6 * size
    assert np.array_equal(named.predict(frame(NEW, columns=columns)), plain.predict(NEW))
    with pytest.raises(ValueError, match="feature names should match"):
        named.predict(frame(NEW, columns=columns[::-1]))


@every_model
def test_pickle_keeps_all_and_clone_nothing_but_parameters(model):
    fitted = clone(model).fit(X, NAMES[y])
    copy = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(scores(copy), scores(fitted))
    assert np.array_equal(copy.predict(NEW), fitted.predict(NEW))
    if hasattr(fitted, "predict_proba"):
        assert np.array_equal(copy.predict_proba(NEW), fitted.predict_proba(NEW))
    again = clone(fitted)
    assert not [name for name in vars(again) if name.endswith("_") and not name.startswith("_")]
    assert np.array_equal(scores(again.fit(X, NAMES[y])), scores(fitted))


@every_model
def test_parameters_are_left_as_given(model):
    before = {name: repr(value) for name, value in model.get_params().items()}
    fitted = clone(model).fit(X, y)
    assert {name: repr(value) for name, value in fitted.get_params().items()} == before


@every_model
def test_labels_of_any_kind_give_the_same_scores(model):
    plain = clone(model).fit(X, y)
    for labels in (NAMES[y], 10 * y - 10, NAMES.astype(object)[y], y.astype(float)):
        other = clone(model).fit(X, labels)
        assert np.array_equal(other.classes_, np.unique(labels))
        assert np.array_equal(scores(other), scores(plain))
        assert np.array_equal(other.predict(NEW), other.classes_[plain.predict(NEW)])


# Coordinates of a code depend on the order of its classes, as does the draw of held-out rows.
@models("boosting, coordinate", "newton")
def test_relabelling_permutes_the_scores(model):
    plain = clone(model).fit(X, y)
    order = np.array([2, 0, 1])
    turned = clone(model).fit(X, order[y])
    size = np.abs(scores(plain)).max()
    assert np.abs(scores(turned)[:, order] - scores(plain)).max() <= near(model) * size


@every_model
def test_scores_sum_to_zero_and_the_largest_wins(model):
    fitted = clone(model).fit(X, NAMES[y])
    S = scores(fitted)
    assert S.shape == (200, 3)
    assert np.allclose(S.sum(axis=1), 0, atol=1e-9 * np.abs(S).max())
    assert np.array_equal(fitted.predict(NEW), fitted.classes_[S.argmax(axis=1)])
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(NEW)
        assert np.allclose(P.sum(axis=1), 1) and P.min() >= 0
        # Far from all rows scores are nothing, and probabilities equal.
        clear = np.abs(S).max(axis=1) > 1e-15
        assert np.array_equal(P.argmax(axis=1)[clear], S.argmax(axis=1)[clear])
    right = fitted.predict(X) == NAMES[y]
    assert fitted.score(X, NAMES[y]) == right.mean()
    weights = np.arange(1.0, 91)
    assert fitted.score(X, NAMES[y], weights) == pytest.approx(np.average(right, weights=weights))


@every_model
def test_two_classes_have_one_score(model):
    keep = y < 2
    fitted = clone(model).fit(X[keep], NAMES[y[keep]])
    s = scores(fitted)
    assert s.shape == (200,)
    assert np.array_equal(fitted.predict(NEW), np.where(s > 0, "bee", "ant"))
    if hasattr(fitted, "predict_proba"):
        P = fitted.predict_proba(NEW)
        assert P.shape == (200, 2)
        clear = np.abs(s) > 1e-15
        assert np.array_equal(P.argmax(axis=1)[clear], (s > 0)[clear].astype(int))


@pytest.mark.parametrize("landmarks", [None, 12])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kind", [SimplexRidgeClassifier, SimplexSVC])
def test_decisions_are_kernel_values_times_dual_coefficients(kind, n_classes, landmarks):
    rows, labels = make_blobs(60, centers=n_classes, cluster_std=2.0, random_state=0)
    weights = np.ones(60)
    weights[:5] = 0
    model = kind(kernel="rbf", gamma=0.3, landmarks=landmarks).fit(rows, labels, weights)
    m = landmarks or 55
    assert model.dual_coef_.shape == (m, 1 if n_classes == 2 else n_classes)
    assert model.X_fit_.shape == (m, 2)
    decisions = rbf_kernel(NEW[:, :2], model.X_fit_, gamma=0.3) @ model.dual_coef_
    decisions = (
        np.squeeze(decisions + model.intercept_, axis=1)
        if n_classes == 2
        else decisions + model.intercept_
    )
    np.testing.assert_allclose(decisions, model.decision_function(NEW[:, :2]), atol=1e-9)


# Three rows left out in turn say nothing about alpha, and cannot be cut into folds.
@models("ridge, alphas", "ridge, cv")
def test_one_row_of_each_class_is_enough(model):
    rows = [int(np.flatnonzero(y == k)[0]) for k in range(3)]
    fitted = clone(model).fit(X[rows], NAMES)
    assert fitted.classes_.tolist() == NAMES.tolist()
    assert np.isfinite(scores(fitted)).all()
    assert set(fitted.predict(NEW)) <= set(NAMES)
    # A tree cannot cut three rows of one each into leaves of enough weight on every path.
    if "boosting" not in type(model).__name__.lower():
        assert fitted.predict(X[rows]).tolist() == NAMES.tolist()


@every_model
def test_a_fit_forgets_the_fit_before(model):
    fitted = clone(model).fit(NEW, np.arange(200) % 5).fit(X, y)
    assert np.array_equal(scores(fitted), scores(clone(model).fit(X, y)))
    assert fitted.n_features_in_ == 4 and fitted.classes_.tolist() == [0, 1, 2]


@every_model
def test_wrong_values_are_named_in_one_line(model):
    for call, words in [
        (lambda one: one.fit(X + 1j, y), "X holds complex numbers"),
        (lambda one: one.fit(X, y).predict((X + 1j).tolist()), "X holds complex numbers"),
        (lambda one: one.fit(X, y, sample_weight=["a"]), "sample_weight must hold numbers"),
        (
            lambda one: one.set_params(class_weight=np.ones((9, 9))).fit(X, y),
            "an array of shape (9, 9) instead",
        ),
        (
            lambda one: one.set_params(class_weight={0: "a", 1: 1.0, 2: 1.0}).fit(X, y),
            "class_weight must hold positive numbers, got {0: 'a'",
        ),
    ]:
        with pytest.raises(ValueError) as caught:
            call(clone(model))
        assert words in str(caught.value) and "\n" not in str(caught.value)


@every_model
def test_data_is_not_changed(model):
    A, b, w = X.copy(), NAMES[y], np.linspace(0.5, 2, len(y))
    kept = A.copy(), b.copy(), w.copy()
    clone(model).fit(A, b, sample_weight=w).predict(A)
    for now, before in zip((A, b, w), kept, strict=True):
        assert np.array_equal(now, before)


@every_model
def test_features_whose_squares_overflow_are_refused_where_products_are_taken(model):
    huge = 2.0**531
    if isinstance(model, SimplexBoostingClassifier):
        # Trees ask for the order of values alone.
        scaled = clone(model).fit(huge * X, y)
        assert np.array_equal(scaled.predict(huge * NEW), clone(model).fit(X, y).predict(NEW))
        return
    with pytest.raises(ValueError, match="whose square overflows float64: scale X down"):
        clone(model).fit(huge * X, y)


# "auto" tries fewer kernels, and no scaling, on sparse rows.
@models("ridge, auto")
def test_sparse_rows_are_dense_rows_or_refused(model):
    fitted = clone(model)
    if not fitted.__sklearn_tags__().input_tags.sparse:
        with pytest.raises(TypeError, match=r"[Ss]parse"):
            fitted.fit(csr_matrix(X), y)
        return
    fitted.fit(csr_matrix(X), y)
    dense = clone(model).fit(X, y)
    size = np.abs(scores(dense)).max()
    away = np.abs(scores(fitted, csr_matrix(NEW)) - scores(dense)).max()
    assert away <= max(1e-9, near(model)) * size
