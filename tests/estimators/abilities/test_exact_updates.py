import pickle
from copy import deepcopy

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris
from sklearn.model_selection import GroupKFold, KFold, LeaveOneGroupOut, StratifiedKFold

from reference.models import assert_same
from reference.ridge import left_out_scores
from simplexcoding import SimplexRidgeClassifier, persistence
from simplexcoding.design import design
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.solvers.ridge import RidgeProblem

X, y = load_iris(return_X_y=True)
order = np.random.default_rng(0).permutation(150)
X, y = X[order], y[order]
w = np.random.default_rng(1).integers(1, 4, 150).astype(float)
GRID = np.geomspace(1e3, 1e-3, 13)


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"class_weight": {0: 2, 1: 1}}])
def test_rows_added_in_parts_equal_one_fit(kind, options):
    whole = SimplexRidgeClassifier("linear", **options).fit(kind(X), y, w)
    parts = SimplexRidgeClassifier("linear", **options)
    for part in (slice(0, 40), slice(40, 41), slice(41, 150)):
        parts.partial_fit(kind(X[part]), y[part], sample_weight=w[part])
    assert_same(parts, whole, X)


def test_new_classes_may_come_late_and_go():
    first = y < 2
    model = SimplexRidgeClassifier(kernel="linear").partial_fit(X[first], y[first])
    model.partial_fit(X[~first], y[~first])
    both = np.r_[np.flatnonzero(first), np.flatnonzero(~first)]
    assert_same(model, SimplexRidgeClassifier(kernel="linear").fit(X[both], y[both]), X)
    model.forget(np.arange(first.sum(), 150))
    assert_same(model, SimplexRidgeClassifier(kernel="linear").fit(X[first], y[first]), X)


@pytest.mark.parametrize("n_gone", [1, 30, 120])
def test_forgotten_rows_are_as_if_never_seen(n_gone):
    gone = np.random.default_rng(2).choice(150, n_gone, replace=False)
    stay = np.setdiff1d(np.arange(150), gone)
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y, w).forget(gone)
    assert_same(model, SimplexRidgeClassifier(kernel="linear").fit(X[stay], y[stay], w[stay]), X)


def test_rows_of_weight_zero_count_in_the_numbering():
    weights = np.ones(150)
    weights[:10] = 0
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y, weights).forget([3, 12, 20])
    stay = np.setdiff1d(np.arange(10, 150), [12, 20])
    assert_same(model, SimplexRidgeClassifier(kernel="linear").fit(X[stay], y[stay]), X)


def test_more_features_than_rows_can_change_too():
    wide = np.random.default_rng(0).normal(size=(150, 200))
    model = (
        SimplexRidgeClassifier(kernel="linear")
        .fit(wide[:100], y[:100])
        .partial_fit(wide[100:], y[100:])
    )
    assert_same(model, SimplexRidgeClassifier(kernel="linear").fit(wide, y), wide)


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
        monkeypatch.setattr(design, "EIGEN_ROWS", 10)
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
    model = SimplexRidgeClassifier(kernel="linear", alphas=0.3).fit(X, y)
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


def test_files_hold_no_training_rows_and_say_so(tmp_path):
    """A model read back once started anew on ten rows, without a word."""
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    persistence.save(model, tmp_path / "m")
    for again in (pickle.loads(pickle.dumps(model)), persistence.load(tmp_path / "m")):
        assert np.array_equal(again.predict(X), model.predict(X))
        assert not hasattr(again, "cross_val_scores") and not hasattr(again, "left_out_scores")
        with pytest.raises(ValueError, match=r"was read from a file or .* holds no training rows"):
            again.partial_fit(X[:10], y[:10])
        with pytest.raises(ValueError, match=r"was read from a file or .* holds no training rows"):
            again.forget([0])
        assert np.array_equal(again.predict(X), model.predict(X))


def test_a_copy_in_memory_goes_on():
    model = SimplexRidgeClassifier(kernel="linear").fit(X[:100], y[:100])
    twin = deepcopy(model).partial_fit(X[100:], y[100:])
    assert_same(twin, SimplexRidgeClassifier(kernel="linear").fit(X, y), X)
    assert len(model.loo_scores_) == 100 and len(model.cross_val_scores(5)) == 100


def test_groups_come_and_go_with_their_rows():
    groups = np.arange(150) // 5
    model = SimplexRidgeClassifier(kernel="linear", cv=GroupKFold(5)).fit(
        X[:100], y[:100], groups=groups[:100]
    )
    weights = np.ones(50)
    weights[:5] = 0
    model.partial_fit(X[100:], y[100:], sample_weight=weights, groups=groups[100:])
    model.forget([0, 50])
    stay = np.setdiff1d(np.r_[0:100, 105:150], [0, 50])
    fresh = SimplexRidgeClassifier(kernel="linear", cv=GroupKFold(5)).fit(
        X[stay], y[stay], groups=groups[stay]
    )
    assert_same(model, fresh, X)
    with pytest.raises(ValueError, match="groups must be given, as it was to fit"):
        model.partial_fit(X[:5], y[:5])
    with pytest.raises(ValueError, match="groups was not given to fit"):
        SimplexRidgeClassifier(kernel="linear").fit(X, y).partial_fit(
            X[:5], y[:5], groups=groups[:5]
        )
    with pytest.raises(ValueError, match="one value for each of 150 rows"):
        SimplexRidgeClassifier(kernel="linear", cv=GroupKFold(5)).fit(X, y, groups=groups[:5])


def test_given_splits_follow_the_rows():
    splits = list(KFold(5).split(X[:100]))
    model = SimplexRidgeClassifier(kernel="linear", cv=iter(splits)).fit(X[:100], y[:100])
    model.forget([3, 50])
    stay = np.setdiff1d(np.arange(100), [3, 50])
    place = np.full(100, -1)
    place[stay] = np.arange(98)
    fewer = [tuple(place[side][place[side] >= 0] for side in split) for split in splits]
    assert_same(model, SimplexRidgeClassifier(kernel="linear", cv=fewer).fit(X[stay], y[stay]), X)
    model.partial_fit(X[100:], y[100:])
    assert np.array_equal(np.isnan(model.loo_scores_[:, 0]), np.arange(148) >= 98)
    assert model.best_score_ == pytest.approx(
        np.mean(model.loo_scores_[:98].argmax(axis=1) == y[stay])
    )
    one = SimplexRidgeClassifier(kernel="linear", cv=[(np.arange(2, 100), np.arange(2))]).fit(
        X[:100], y[:100]
    )
    with pytest.raises(ValueError, match="every row that cv leaves out"):
        one.forget([0, 1])


def test_a_batch_may_lack_classes_that_have_weights():
    options = {"class_weight": {0: 2.0}, "alphas": GRID}
    model = SimplexRidgeClassifier("linear", **options)
    late = np.argsort(y, kind="stable")[::-1]
    for part in np.split(late, [80, 120]):
        model.partial_fit(X[part], y[part])
    assert_same(model, SimplexRidgeClassifier("linear", **options).fit(X[late], y[late]), X)
    with pytest.raises(ValueError, match="not in class_weight"):
        SimplexRidgeClassifier(kernel="linear", class_weight={0: 2.0, 7: 1.0}).fit(X, y)


def test_labels_stay_of_one_kind():
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    with pytest.raises(ValueError, match="of the kind that the model knows, such as '0', got 'a'"):
        model.partial_fit(X[:3], ["a", "b", "a"])
    assert model.classes_.dtype.kind == "i"


def test_forgetting_nothing_changes_nothing():
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    before = model.loo_scores_
    assert model.forget([]).loo_scores_ is before


def test_rows_of_weight_zero_keep_their_place_among_scores():
    weights = np.ones(150)
    weights[::4] = 0
    for kernel in ("linear", "rbf", "precomputed"):
        A = X if kernel != "precomputed" else X @ X.T
        model = SimplexRidgeClassifier(kernel, alphas=0.3).fit(A, y, weights)
        assert np.allclose(model.left_out_scores(0.3), model.loo_scores_, atol=1e-9)
        found = model.cross_val_scores(KFold(5))
        assert found.shape == (150, 3)
        B = A[weights > 0]
        B = B[:, weights > 0] if kernel == "precomputed" else B
        fewer = SimplexRidgeClassifier(kernel, alphas=0.3).fit(B, y[weights > 0])
        assert np.allclose(found[weights > 0], fewer.cross_val_scores(KFold(5)), atol=1e-9)
        assert np.allclose(found[weights == 0], model.decision_function(A)[weights == 0])


def test_what_cannot_be_updated_says_why():
    for options, words in [
        ({"kernel": "rbf"}, "set landmarks to a number"),
        ({"kernel": "rbf", "landmarks": None}, "set landmarks to a number"),
        ({"kernel": "precomputed", "landmarks": 5}, "no finite features"),
        ({"class_weight": "balanced"}, "changes with every row"),
    ]:
        model = SimplexRidgeClassifier(**{"kernel": "linear", **options})
        assert not hasattr(model, "partial_fit") and not hasattr(model, "forget")
        with pytest.raises(AttributeError) as caught:
            _ = model.partial_fit
        assert words in str(caught.value.__cause__)
    for options in ({}, {"kernel": "rbf", "landmarks": 5}, {"class_weight": {0: 1.0}}):
        assert hasattr(SimplexRidgeClassifier(**{"kernel": "linear", **options}), "partial_fit")


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
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    before = model.decision_function(X)
    with pytest.raises(ValueError, match=words):
        call(model)
    assert np.array_equal(model.decision_function(X), before)
    assert len(model.loo_scores_) == 150
