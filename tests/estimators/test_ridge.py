import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from scipy.special import log_softmax
from sklearn.datasets import load_digits, load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, ShuffleSplit, StratifiedKFold

from reference.ridge import left_out_scores
from simplexcoding import SimplexRidgeClassifier, audit_labels
from simplexcoding.inference.calibration import fit_calibration
from simplexcoding.inference.conformal import fit_set_rule
from simplexcoding.inference.vector_scaling import left_out_logits
from simplexcoding.kernels import Kernel

X, y = load_iris(return_X_y=True)
order = np.random.default_rng(0).permutation(150)
X, y = X[order], y[order]
Xd, yd = load_digits(return_X_y=True)


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize("binary", [False, True])
def test_predictions_are_those_of_ridge_classifier(alpha, fit_intercept, kind, binary):
    keep = y < 2 if binary else y < 3
    A, b = kind(X[keep]), y[keep]
    solver_name = "sparse_cg" if kind is csr_matrix else "auto"
    peer = RidgeClassifier(alpha, fit_intercept=fit_intercept, solver=solver_name, tol=1e-12)
    peer.fit(A, b)
    ours = SimplexRidgeClassifier("linear", alphas=alpha, fit_intercept=fit_intercept).fit(A, b)
    assert ours.alpha_ == alpha
    assert np.array_equal(ours.predict(A), peer.predict(A))
    if binary:
        assert np.allclose(ours.decision_function(A), peer.decision_function(A), atol=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "laplacian", "poly"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.filterwarnings("ignore:The best value lies at the edge")
def test_loo_scores_equal_refits(kernel, weighted):
    w = np.random.default_rng(1).integers(1, 4, 60) if weighted else None
    # Down to alphas at which the refits themselves still have eight digits, with any LAPACK.
    alphas = np.geomspace(1e2, 3e-2, 30)
    model = SimplexRidgeClassifier(kernel, alphas=alphas).fit(X[:60], y[:60], w)
    K = Kernel(kernel, model.gamma_).matrix(X[:60])
    slow = left_out_scores(K, y[:60], 3, model.alpha_, w=w)
    assert np.allclose(model.loo_scores_, slow, rtol=0, atol=1e-8)
    hits = model.loo_scores_.argmax(axis=1) == y[:60]
    assert model.best_score_ == pytest.approx(np.average(hits, weights=w))
    assert model.lambda_ == pytest.approx(model.alpha_ / (60 if w is None else w.sum()))


def test_the_chosen_alpha_beats_every_other_by_refits():
    alphas = np.geomspace(100, 1e-3, 6)
    model = SimplexRidgeClassifier(kernel="linear", alphas=alphas).fit(X[:50], y[:50])
    K = X[:50] @ X[:50].T
    slow = [
        np.mean(left_out_scores(K, y[:50], 3, alpha).argmax(axis=1) == y[:50]) for alpha in alphas
    ]
    assert model.path_.exact.all()
    assert np.allclose(model.path_.score[0], slow)
    assert model.best_score_ == pytest.approx(max(slow))


def test_a_linear_kernel_by_either_route_is_one_model():
    linear = SimplexRidgeClassifier(kernel="linear", alphas=0.5).fit(X, y)
    by_kernel = SimplexRidgeClassifier(lambda A, B: A @ B.T, alphas=0.5).fit(X, y)
    given = SimplexRidgeClassifier("precomputed", alphas=0.5).fit(X @ X.T, y)
    assert np.allclose(linear.decision_function(X), by_kernel.decision_function(X))
    assert np.allclose(linear.decision_function(X), given.decision_function(X @ X.T))
    assert np.allclose(linear.loo_scores_, given.loo_scores_)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_integer_weights_equal_repeated_rows(kernel):
    w = np.random.default_rng(2).integers(0, 4, 150)
    options = dict(class_weight="balanced", scoring="balanced_accuracy")
    weighted = SimplexRidgeClassifier(kernel, **options).fit(X, y, w)
    repeated = SimplexRidgeClassifier(kernel, **options).fit(X.repeat(w, 0), y.repeat(w))
    assert weighted.gamma_ == pytest.approx(repeated.gamma_)
    # A row's copies leave one at a time among repeated rows, so scores along the path
    # differ; the grid and, at one alpha, the fit do not.
    assert np.allclose(weighted.path_.alphas, repeated.path_.alphas, rtol=1e-6)
    fixed = dict(alphas=0.3, class_weight="balanced")
    one = SimplexRidgeClassifier(kernel, **fixed).fit(X, y, w)
    other = SimplexRidgeClassifier(kernel, **fixed).fit(X.repeat(w, 0), y.repeat(w))
    assert np.allclose(one.decision_function(X), other.decision_function(X))


def test_rows_of_weight_zero_are_as_if_absent():
    w = np.ones(150)
    w[::3] = 0
    for kernel in ("linear", "rbf", "precomputed"):
        A = rbf_kernel(X) if kernel == "precomputed" else X
        B = A[w > 0][:, w > 0] if kernel == "precomputed" else A[w > 0]
        some = SimplexRidgeClassifier(kernel).fit(A, y, w)
        fewer = SimplexRidgeClassifier(kernel).fit(B, y[w > 0])
        columns = w > 0 if kernel == "precomputed" else slice(None)
        assert np.allclose(some.decision_function(A), fewer.decision_function(A[:, columns]))
        assert some.loo_scores_.shape == (150, 3)
        assert np.allclose(some.loo_scores_[w > 0], fewer.loo_scores_)
        assert np.allclose(some.loo_scores_[w == 0], some.decision_function(A)[w == 0])


@pytest.mark.filterwarnings("ignore:The best value lies at the edge")
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
@pytest.mark.parametrize(
    "cv", [4, KFold(5, shuffle=True, random_state=0), StratifiedKFold(3), "iterable"]
)
def test_folds_equal_refits(kernel, cv):
    splits = list(KFold(5).split(X)) if cv == "iterable" else None
    model = SimplexRidgeClassifier(kernel, cv=splits or cv, alphas=[0.1, 1.0]).fit(X, y)
    splitter = StratifiedKFold(4) if cv == 4 else cv
    folds = [test for _, test in splits or splitter.split(X, y)]
    K = Kernel(kernel, model.gamma_).matrix(X)
    slow = left_out_scores(K, y, 3, model.alpha_, folds=folds)
    assert np.allclose(model.loo_scores_, slow, atol=1e-8)
    assert model.best_score_ == pytest.approx(np.mean(slow.argmax(axis=1) == y))


def test_given_splits_are_in_the_numbering_of_the_caller():
    w = np.ones(150)
    w[:10] = 0
    splits = list(KFold(5).split(X))
    model = SimplexRidgeClassifier(kernel="linear", cv=splits, alphas=1.0).fit(X, y, w)
    folds = [test[test >= 10] - 10 for _, test in splits]
    slow = left_out_scores(X[10:] @ X[10:].T, y[10:], 3, 1.0, folds=folds)
    assert np.allclose(model.loo_scores_[10:], slow, atol=1e-8)
    with pytest.raises(ValueError, match="groups"):
        SimplexRidgeClassifier(kernel="linear", cv=GroupKFold(3)).fit(X, y)


@pytest.mark.parametrize("calibration", ["temperature", "vector"])
def test_rows_of_no_fold_count_nowhere(calibration):
    """Left-out accuracy on labels that say nothing is about one half, whatever the folds."""
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(60, 200)), rng.integers(2, size=60)
    cv = ShuffleSplit(8, test_size=0.1, random_state=0)
    model = SimplexRidgeClassifier(kernel="linear", cv=cv, calibration=calibration).fit(A, b)
    judged = np.zeros(60, dtype=bool)
    judged[np.concatenate([test for _, test in cv.split(A)])] = True
    assert 10 < judged.sum() < 50
    assert np.array_equal(np.isnan(model.loo_scores_[:, 0]), ~judged)
    decisions = model.calibration_.decisions(model.loo_scores_[judged])
    if calibration == "temperature":
        hits = decisions.argmax(axis=1) == b[judged]
        assert model.best_score_ == pytest.approx(hits.mean())
        assert model.best_score_ < 0.8
    # The calibration and the sets are those of the judged rows alone.
    again = fit_calibration("temperature", model.loo_scores_[judged], b[judged])
    if calibration == "temperature":
        assert model.calibration_.beta == pytest.approx(again.beta)
    scores = np.column_stack([-model.decision_function(A), model.decision_function(A)])
    expected = fit_set_rule(decisions, b[judged], 0.8).sets(scores)
    assert np.array_equal(model.predict_set(A, 0.8), expected)
    audit = audit_labels(model, b)
    assert sorted(audit.row) == np.flatnonzero(judged).tolist()


@pytest.mark.parametrize("kernel", ["linear", "rbf", "landmarks"])
def test_a_row_of_several_folds_has_the_mean_of_its_left_out_scores(kernel):
    options = {"landmarks": 12} if kernel == "landmarks" else {}
    name = "linear" if kernel == "linear" else "rbf"
    model = SimplexRidgeClassifier(name, gamma=0.4, alphas=1.0, **options).fit(X, y)
    cv = RepeatedKFold(n_splits=3, n_repeats=2, random_state=0)
    K = Kernel(name, 0.4).matrix(X)
    if kernel == "landmarks":
        m = model.landmark_indices_
        K = K[:, m] @ np.linalg.solve(K[np.ix_(m, m)], K[m])
    tests = [test for _, test in cv.split(X)]
    each = [left_out_scores(K, y, 3, 1.0, folds=tests[k : k + 3]) for k in (0, 3)]
    assert np.allclose(model.cross_val_scores(cv), np.mean(each, axis=0), rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    "scoring", ["balanced_accuracy", "neg_log_loss", "neg_mean_squared_error", "f1_macro", None]
)
@pytest.mark.parametrize("binary", [False, True])
def test_any_scoring_chooses_its_best_alpha(scoring, binary):
    keep = y > 0 if binary else y >= 0
    model = SimplexRidgeClassifier("rbf", scoring=scoring).fit(X[keep], y[keep])
    assert model.best_score_ >= model.path_.score.max() - 1e-6


def test_two_classes_are_left_out_honestly():
    """Leave-one-out accuracy on labels that say nothing is about one half, not one."""
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(200, 5)), rng.integers(2, size=200)
    model = SimplexRidgeClassifier("rbf", gamma=10.0).fit(A, b)
    assert model.best_score_ < 0.62


@pytest.mark.parametrize("calibration", ["temperature", "vector", "none"])
def test_probabilities_sum_to_one_and_agree_with_predict(calibration):
    for keep in (y < 3, y > 0):
        model = SimplexRidgeClassifier("rbf", calibration=calibration).fit(X[keep], y[keep])
        P = model.predict_proba(X)
        assert P.shape == (150, len(model.classes_))
        assert np.allclose(P.sum(axis=1), 1) and P.min() >= 0
        assert np.array_equal(model.classes_[P.argmax(axis=1)], model.predict(X))


def test_vector_calibration_moves_decisions_and_leaves_left_out_scores_raw():
    raw = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X, y)
    moved = SimplexRidgeClassifier(kernel="linear", alphas=1.0, calibration="vector").fit(X, y)
    assert np.allclose(raw.loo_scores_, moved.loo_scores_)
    decisions = moved.decision_function(X)
    assert np.allclose(decisions.sum(axis=1), 0)
    assert np.array_equal(moved.predict(X), decisions.argmax(axis=1))
    logits = left_out_logits(moved.loo_scores_, y)
    expected = np.mean(log_softmax(logits, axis=1)[np.arange(len(y)), y])
    assert moved.best_score_ == pytest.approx(expected, abs=2e-3)
    assert moved.score(X, y) > raw.score(X, y) + 0.05


def test_two_classes_have_one_row_of_coefficients():
    keep = y > 0
    model = SimplexRidgeClassifier(kernel="linear").fit(X[keep], y[keep])
    assert model.coef_.shape == (1, 4) and model.intercept_.shape == (1,)
    decision = X @ model.coef_[0] + model.intercept_[0]
    assert np.allclose(model.decision_function(X), decision)
    assert SimplexRidgeClassifier(kernel="linear").fit(X, y).coef_.shape == (3, 4)


def test_frames_and_dtypes():
    names = ["a", "b", "c", "d"]
    plain = SimplexRidgeClassifier("rbf").fit(X, y)
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        model = SimplexRidgeClassifier("rbf").fit(frame, y)
        assert model.feature_names_in_.tolist() == names
        assert np.array_equal(model.predict(frame), plain.predict(X))
    weights = np.ones(150)
    weights[:5] = 0
    framed = SimplexRidgeClassifier(kernel="linear").fit(pd.DataFrame(X, columns=names), y, weights)
    assert framed.loo_scores_.shape == (150, 3)
    single = SimplexRidgeClassifier("rbf").fit(X.astype(np.float32), y)
    assert single.decision_function(X.astype(np.float32)).dtype == np.float32
    assert np.mean(single.predict(X.astype(np.float32)) == plain.predict(X)) > 0.98
    A = np.asfortranarray(Xd[:200].astype(np.int16))
    A.flags.writeable = False
    plain = SimplexRidgeClassifier(kernel="linear").fit(Xd[:200], yd[:200])
    whole = SimplexRidgeClassifier(kernel="linear").fit(A, yd[:200])
    assert np.allclose(whole.decision_function(A), plain.decision_function(Xd[:200]), atol=1e-9)


def test_degenerate_but_legal_input_works():
    one_each = SimplexRidgeClassifier("rbf").fit(X[:5], np.arange(5))
    assert one_each.loo_scores_.shape == (5, 5)
    constant = SimplexRidgeClassifier(kernel="linear").fit(np.ones((10, 3)), np.arange(10) % 2)
    assert np.all(np.isfinite(constant.decision_function(np.ones((2, 3)))))
    wide = np.random.default_rng(0).normal(size=(12, 100))
    assert (
        SimplexRidgeClassifier(kernel="linear", alphas=1e-12)
        .fit(wide, np.arange(12) % 3)
        .score(wide, np.arange(12) % 3)
        == 1
    )
    doubled = np.hstack([X, X, np.ones((150, 1))])
    assert np.all(np.isfinite(SimplexRidgeClassifier(kernel="linear").fit(doubled, y).loo_scores_))


def test_the_edge_of_a_given_grid_warns_once():
    with pytest.warns(UserWarning, match=r"edge of the given alphas \(best 1e\+06\)") as caught:
        SimplexRidgeClassifier("rbf", alphas=[1e6, 1e7]).fit(X, y)
    assert len(caught) == 1


@pytest.mark.filterwarnings("error")
def test_no_warning_inside_the_grid_or_for_one_value():
    SimplexRidgeClassifier("rbf", alphas=1.0).fit(X, y)
    SimplexRidgeClassifier("rbf").fit(X, y)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alphas": -1.0}, r"'alphas' parameter .* in the range \(0.0, inf\).* Got -1.0"),
        ({"alphas": []}, r"'alphas' parameter .* Got \[\]"),
        ({"alphas": [1.0, np.inf]}, "'alphas' parameter"),
        ({"alphas": "many"}, "'alphas' parameter .* Got 'many'"),
        ({"kernel": "sigmoid"}, "'kernel' parameter .* Got 'sigmoid'"),
        ({"kernel": "rbf", "gamma": 0.0}, "'gamma' parameter .* Got 0.0"),
        ({"kernel": "rbf", "gamma": [[1.0]]}, "'gamma' parameter"),
        ({"kernel": "poly", "coef0": np.inf}, "'coef0' parameter .* Got inf"),
        ({"kernel": "poly", "degree": -1}, "'degree' parameter .* Got -1"),
        ({"kernel": "rbf", "landmarks": 0}, "'landmarks' parameter .* Got 0"),
        ({"kernel": "rbf", "landmarks": "some"}, "'landmarks' parameter .* Got 'some'"),
        ({"kernel": "precomputed"}, "X must be square"),
        ({"fit_intercept": "no"}, "'fit_intercept' parameter .* Got 'no'"),
        ({"class_weight": "heavy"}, "'class_weight' parameter .* Got 'heavy'"),
        ({"random_state": "seed"}, "'random_state' parameter .* Got 'seed'"),
        ({"cv": 1}, "'cv' parameter .* Got 1"),
        ({"verbose": "loud"}, "'verbose' parameter .* Got 'loud'"),
        ({"calibration": "sigmoid"}, "'calibration' parameter .* Got 'sigmoid'"),
        ({"scoring": 3}, "'scoring' parameter .* Got 3"),
        ({"scoring": "nonsense"}, "nonsense"),
    ],
)
def test_misuse_is_named(options, words):
    with pytest.raises(ValueError, match=words):
        SimplexRidgeClassifier(**options).fit(X, y)


@pytest.mark.parametrize("case", ["tall", "wide", "rbf"])
def test_sparse_rows_with_a_large_mean_keep_their_digits(case):
    rows, labels = X, y
    if case == "wide":
        rows, labels = np.random.default_rng(0).normal(size=(60, 100)), y[:60]
    options = {"kernel": "rbf", "gamma": 0.3} if case == "rbf" else {"kernel": "linear"}
    near = SimplexRidgeClassifier(alphas=0.1, **options).fit(rows, labels)
    far = SimplexRidgeClassifier(alphas=0.1, **options).fit(csr_matrix(rows + 1e6), labels)
    assert np.abs(far.loo_scores_ - near.loo_scores_).max() < 1e-8
    found = far.decision_function(csr_matrix(rows + 1e6))
    assert np.abs(found - near.decision_function(rows)).max() < 1e-8


def test_sparse_data_and_a_kernel_that_cannot_take_it():
    A = csr_matrix(X)
    rbf = SimplexRidgeClassifier("rbf").fit(A, y)
    assert np.allclose(
        rbf.decision_function(A), SimplexRidgeClassifier("rbf").fit(X, y).decision_function(X)
    )
    with pytest.raises(TypeError, match="takes no sparse X"):
        SimplexRidgeClassifier("laplacian").fit(A, y)


def test_a_fit_of_sparse_rows_holds_one_array_of_left_out_scores():
    n_rows, n_classes = 40_000, 100
    rng = np.random.default_rng(0)
    labels = rng.integers(n_classes, size=n_rows)
    columns = labels[:, None] + n_classes * np.arange(3)
    columns[rng.random(columns.shape) < 0.5] = 0
    places = (np.repeat(np.arange(n_rows), 3), columns.ravel())
    rows = csr_matrix((np.ones(columns.size), places), shape=(n_rows, 300))
    model = SimplexRidgeClassifier("linear", alphas=1.0)
    tracemalloc.start()
    try:
        model.fit(rows, labels)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert model.loo_scores_.nbytes == 8 * n_rows * n_classes
    assert peak < 1.7 * model.loo_scores_.nbytes
