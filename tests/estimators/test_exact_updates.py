import pickle

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, StratifiedKFold

from reference.ridge import left_out_scores
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.solvers import ridge as solver
from simplexcoding.solvers.ridge import RidgeProblem

X, y = load_iris(return_X_y=True)
order = np.random.default_rng(0).permutation(150)
X, y = X[order], y[order]
w = np.random.default_rng(1).integers(1, 4, 150).astype(float)


def same(one, other, rows=X):
    assert one.classes_.tolist() == other.classes_.tolist()
    assert np.allclose(one.path_.alphas, other.path_.alphas, rtol=1e-6)
    assert np.allclose(one.path_.score, other.path_.score, atol=1e-8)
    assert one.alpha_ == pytest.approx(other.alpha_, rel=1e-6)
    assert np.allclose(one.decision_function(rows), other.decision_function(rows), atol=1e-8)
    assert np.allclose(one.loo_scores_, other.loo_scores_, atol=1e-8)
    assert np.allclose(one.predict_proba(rows), other.predict_proba(rows), atol=1e-6)


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"class_weight": {0: 2, 1: 1}}])
def test_rows_added_in_parts_equal_one_fit(kind, options):
    whole = SimplexRidgeClassifier(**options).fit(kind(X), y, w)
    parts = SimplexRidgeClassifier(**options)
    for part in (slice(0, 40), slice(40, 41), slice(41, 150)):
        parts.partial_fit(kind(X[part]), y[part], sample_weight=w[part])
    same(parts, whole)


def test_new_classes_may_come_late_and_go():
    first = y < 2
    model = SimplexRidgeClassifier().partial_fit(X[first], y[first])
    model.partial_fit(X[~first], y[~first])
    both = np.r_[np.flatnonzero(first), np.flatnonzero(~first)]
    same(model, SimplexRidgeClassifier().fit(X[both], y[both]))
    model.forget(np.arange(first.sum(), 150))
    same(model, SimplexRidgeClassifier().fit(X[first], y[first]), X)


@pytest.mark.parametrize("n_gone", [1, 30, 120])
def test_forgotten_rows_are_as_if_never_seen(n_gone):
    gone = np.random.default_rng(2).choice(150, n_gone, replace=False)
    stay = np.setdiff1d(np.arange(150), gone)
    model = SimplexRidgeClassifier().fit(X, y, w).forget(gone)
    same(model, SimplexRidgeClassifier().fit(X[stay], y[stay], w[stay]))


def test_rows_of_weight_zero_count_in_the_numbering():
    weights = np.ones(150)
    weights[:10] = 0
    model = SimplexRidgeClassifier().fit(X, y, weights).forget([3, 12, 20])
    stay = np.setdiff1d(np.arange(10, 150), [12, 20])
    same(model, SimplexRidgeClassifier().fit(X[stay], y[stay]))


def test_more_features_than_rows_can_change_too():
    wide = np.random.default_rng(0).normal(size=(150, 200))
    model = SimplexRidgeClassifier().fit(wide[:100], y[:100]).partial_fit(wide[100:], y[100:])
    same(model, SimplexRidgeClassifier().fit(wide, y), wide)


def test_landmark_models_keep_their_landmarks():
    model = SimplexRidgeClassifier("rbf", landmarks=15, gamma=0.3).fit(X[:100], y[:100])
    chosen = model.landmark_indices_
    model.partial_fit(X[100:], y[100:])
    problem = RidgeProblem(X, Kernel("rbf", 0.3), Rows.labelled(y, 3), True, chosen)
    factor = problem.factorise()
    expected = factor.spectrum.leave_one_out(model.alpha_).scores()
    assert np.allclose(model.loo_scores_, expected, atol=1e-7)
    stay = np.setdiff1d(np.arange(150), np.setdiff1d([7, 33, 90, 140], chosen))
    model.forget(np.setdiff1d(np.arange(150), stay))
    places = np.searchsorted(stay, chosen)
    again = RidgeProblem(X[stay], Kernel("rbf", 0.3), Rows.labelled(y[stay], 3), True, places)
    expected = again.factorise().spectrum.leave_one_out(model.alpha_).scores()
    assert np.allclose(model.loo_scores_, expected, atol=1e-7)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "large rbf", "landmarks"])
@pytest.mark.parametrize("cv", [3, StratifiedKFold(4), KFold(7, shuffle=True, random_state=0)])
def test_any_folds_equal_refits(kernel, cv, monkeypatch):
    if kernel == "large rbf":
        monkeypatch.setattr(solver, "EIGEN_ROWS", 10)
    name = "linear" if kernel == "linear" else "rbf"
    options = {"landmarks": 12} if kernel == "landmarks" else {}
    model = SimplexRidgeClassifier(name, alphas=0.3, gamma=0.4, **options).fit(X, y, w)
    splitter = StratifiedKFold(3) if cv == 3 else cv
    folds = [test for _, test in splitter.split(X, y)]
    K = Kernel(name, 0.4).matrix(X)
    if kernel == "landmarks":
        m = model.landmark_indices_
        K = K[:, m] @ np.linalg.solve(K[np.ix_(m, m)], K[m])
    slow = left_out_scores(K, y, 3, 0.3, w=w, folds=folds)
    assert np.allclose(model.cross_val_scores(cv), slow, atol=1e-8)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_left_out_scores_at_another_alpha_are_those_of_a_fit_at_it(kernel):
    X, y = load_iris(return_X_y=True)
    model = SimplexRidgeClassifier(kernel).fit(X, y)
    other = SimplexRidgeClassifier(kernel, alphas=0.3).fit(X, y)
    assert np.allclose(model.left_out_scores(0.3), other.loo_scores_, atol=1e-9)
    with pytest.raises(ValueError, match="alpha must be a positive number, got -1"):
        model.left_out_scores(-1)


def test_groups_leave_together():
    groups = np.arange(150) // 10
    model = SimplexRidgeClassifier(alphas=0.3).fit(X, y)
    found = model.cross_val_scores(LeaveOneGroupOut(), groups)
    folds = [np.flatnonzero(groups == g) for g in range(15)]
    slow = left_out_scores(X @ X.T, y, 3, 0.3, folds=folds)
    assert np.allclose(found, slow, atol=1e-8)


def test_alpha_may_be_chosen_on_groups():
    """Copies of a row leak its label to leave-one-out, not to leave-one-group-out."""
    rng = np.random.default_rng(0)
    rows, labels = rng.normal(size=(40, 5)), rng.integers(2, size=40)
    A, b = np.repeat(rows, 3, axis=0), np.repeat(labels, 3)
    A = A + 1e-3 * rng.normal(size=A.shape)
    groups = np.repeat(np.arange(40), 3)
    leaking = SimplexRidgeClassifier("rbf").fit(A, b)
    honest = SimplexRidgeClassifier("rbf", cv=GroupKFold(10)).fit(A, b, groups=groups)
    assert leaking.best_score_ > 0.95
    assert honest.best_score_ < 0.75


def test_files_hold_no_training_rows():
    model = SimplexRidgeClassifier().fit(X, y)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert not hasattr(again, "cross_val_scores") and not hasattr(again, "forget")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda model: model.forget([150]), "holds 150, outside 0..149"),
        (lambda model: model.forget(np.flatnonzero(y > 0)), "at least two classes"),
        (lambda model: model.cross_val_scores(None), "cv must be"),
        (lambda model: model.partial_fit(X[:, :2], y), "features"),
    ],
)
def test_misuse_is_named_and_changes_nothing(call, words):
    model = SimplexRidgeClassifier().fit(X, y)
    before = model.decision_function(X)
    with pytest.raises(ValueError, match=words):
        call(model)
    assert np.array_equal(model.decision_function(X), before)
    assert len(model.loo_scores_) == 150
