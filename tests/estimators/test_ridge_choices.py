"""What the ridge chooses by itself: width, landmarks, kernel, scaling, the alphas asked."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GroupKFold

from reference.ridge import left_out_scores
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.design import design
from simplexcoding.kernels import Kernel
from simplexcoding.selection import choice, landmark_path

X, y = load_iris(return_X_y=True)
order = np.random.default_rng(0).permutation(150)
X, y = X[order], y[order]
Xd, yd = load_digits(return_X_y=True)


def test_gamma_may_be_chosen_jointly():
    gammas = [1e3, 0.3]
    model = SimplexRidgeClassifier("rbf", gamma=gammas).fit(X, y)
    single = [SimplexRidgeClassifier("rbf", gamma=gamma).fit(X, y) for gamma in gammas]
    assert single[1].best_score_ > single[0].best_score_ + 0.01
    assert model.gamma_ == 0.3 and model.alpha_ == single[1].alpha_
    assert model.best_score_ == single[1].best_score_
    assert model.path_.score.shape == (2, 100)


@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_landmarks_give_the_exact_leave_one_out_of_the_projected_model(kernel):
    A = rbf_kernel(X, gamma=0.3) if kernel == "precomputed" else X
    model = SimplexRidgeClassifier(kernel, gamma=0.3, landmarks=20).fit(A, y)
    chosen = model.landmark_indices_
    assert model.n_landmarks_ == len(chosen) == 20
    K = rbf_kernel(X, gamma=0.3)
    projected = K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen])
    slow = left_out_scores(projected, y, 3, model.alpha_)
    assert np.allclose(model.loo_scores_, slow, atol=1e-6)


def test_all_distinct_rows_as_landmarks_are_the_exact_kernel():
    exact = SimplexRidgeClassifier("rbf", alphas=0.1, landmarks=None).fit(X, y)
    every = SimplexRidgeClassifier("rbf", alphas=0.1, landmarks=150).fit(X, y)
    assert np.allclose(exact.decision_function(X), every.decision_function(X), atol=1e-6)


def test_auto_landmarks_begin_above_a_size(monkeypatch):
    monkeypatch.setattr(choice, "EIGEN_ROWS", 100)
    monkeypatch.setattr(choice, "EXACT_ROWS", 120)
    monkeypatch.setattr(landmark_path, "_FIRST_LANDMARKS", 25)
    model = SimplexRidgeClassifier("rbf").fit(X, y)
    assert model.n_landmarks_ in model.landmark_path_.landmarks[-2:]
    assert SimplexRidgeClassifier("rbf").fit(X[:90], y[:90]).n_landmarks_ == 0
    assert SimplexRidgeClassifier("rbf", landmarks=None).fit(X, y).landmark_path_ is None
    assert SimplexRidgeClassifier(kernel="linear").fit(X, y).n_landmarks_ == 0


def test_auto_keeps_the_whole_kernel_between_two_sizes(monkeypatch):
    for module in (choice, design):
        monkeypatch.setattr(module, "EIGEN_ROWS", 100)
    brief = SimplexRidgeClassifier("rbf").fit(Xd[:600], yd[:600])
    assert brief.landmark_path_ is None and brief.n_landmarks_ == 0
    assert brief.path_.exact.sum() == 1
    whole = SimplexRidgeClassifier("rbf", landmarks=None).fit(Xd[:600], yd[:600])
    assert brief.best_score_ >= whole.best_score_ - 0.005
    given = SimplexRidgeClassifier("rbf", alphas=0.1).fit(Xd[:600], yd[:600])
    assert given.path_.exact.all() and given.loo_scores_.dtype == np.float64


def test_grown_landmarks_leave_out_as_a_refit_on_them_does(monkeypatch):
    monkeypatch.setattr(choice, "EIGEN_ROWS", 100)
    monkeypatch.setattr(choice, "EXACT_ROWS", 100)
    monkeypatch.setattr(choice, "most_landmarks", lambda n_rows: 80)
    monkeypatch.setattr(landmark_path, "_FIRST_LANDMARKS", 20)
    grown = SimplexRidgeClassifier("rbf").fit(Xd[:300], yd[:300])
    kernel = Kernel("rbf", grown.gamma_)
    K, marks = kernel.matrix(Xd[:300]), grown.landmark_indices_
    projected = K[:, marks] @ np.linalg.solve(K[np.ix_(marks, marks)], K[marks])
    slow = left_out_scores(projected, yd[:300], 10, grown.alpha_, intercept=True)
    np.testing.assert_allclose(grown.loo_scores_, slow, atol=1e-6)


def test_the_default_chooses_kernel_width_and_scaling():
    wine, kinds = load_wine(return_X_y=True)
    model = SimplexRidgeClassifier().fit(wine, kinds)
    table = model.candidates_
    assert len(table) in (10, 12) and table.scoring == "neg_log_loss"
    chosen = table.kernel[table.best], table.scaling[table.best], table.gamma[table.best]
    assert chosen == (model.kernel_, model.scaling_, model.gamma_)
    assert model.scaling_ == "standard"  # The units of wine differ by thousands.
    given = SimplexRidgeClassifier(
        model.kernel_, gamma=model.gamma_, scaling=model.scaling_, alphas=model.alpha_
    ).fit(wine, kinds)
    assert given.candidates_ is None
    np.testing.assert_allclose(given.decision_function(wine), model.decision_function(wine))
    np.testing.assert_allclose(given.loo_scores_, model.loo_scores_)


@pytest.mark.parametrize("kernel", ["linear", "rbf", "exponential"])
def test_scaled_features_equal_features_scaled_before(kernel):
    wine, kinds = load_wine(return_X_y=True)
    scaled = wine / wine.std(axis=0)
    inside = SimplexRidgeClassifier(kernel, scaling="standard").fit(wine, kinds)
    before = SimplexRidgeClassifier(kernel).fit(scaled, kinds)
    assert inside.scaling_ == "standard" and before.scaling_ == "none"
    np.testing.assert_allclose(inside.loo_scores_, before.loo_scores_, atol=1e-8)
    found, expected = inside.decision_function(wine), before.decision_function(scaled)
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_width_and_scaling_are_chosen_alone():
    model = SimplexRidgeClassifier("rbf", gamma="auto").fit(X, y)
    assert len(model.candidates_) == 5 and model.scaling_ == "none"
    model = SimplexRidgeClassifier("linear", scaling="auto").fit(X, y)
    assert model.candidates_.scaling.tolist() == ["none", "standard"]
    model = SimplexRidgeClassifier(scoring="accuracy").fit(X, y)
    assert model.candidates_.scoring == "accuracy"
    assert np.array_equal(model.candidates_.score, model.candidates_.accuracy)


def test_groups_leave_together_in_the_choice_too():
    # Four copies of every row: left out one at a time, a narrow kernel would know them.
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(40, 5)), rng.integers(3, size=40)
    A, b, g = np.repeat(A, 4, axis=0), np.repeat(b, 4), np.repeat(np.arange(40), 4)
    A = A + 1e-6 * rng.normal(size=A.shape)
    alone = SimplexRidgeClassifier().fit(A, b)
    together = SimplexRidgeClassifier(cv=GroupKFold(5)).fit(A, b, groups=g)
    assert alone.candidates_.accuracy.max() == 1.0
    assert together.candidates_.accuracy.max() < 0.6


def test_parameters_that_do_not_go_together_are_named():
    with pytest.raises(ValueError, match=r"gamma=0\.5 belongs to a kernel"):
        SimplexRidgeClassifier(gamma=0.5).fit(X, y)
    with pytest.raises(ValueError, match="scaling='standard' has no features to scale"):
        SimplexRidgeClassifier("precomputed", scaling="standard").fit(X @ X.T, y)
    with pytest.raises(ValueError, match="scaling"):
        SimplexRidgeClassifier(scaling="minmax").fit(X, y)


def test_sparse_rows_are_chosen_for_too():
    model = SimplexRidgeClassifier().fit(csr_matrix(X), y)
    assert set(model.candidates_.kernel) == {"linear", "rbf"} and model.scaling_ == "none"


def test_rows_join_a_model_that_chose_finite_features(monkeypatch):
    assert not hasattr(SimplexRidgeClassifier(), "partial_fit")
    assert not hasattr(SimplexRidgeClassifier().fit(X, y), "forget")  # A whole kernel.
    monkeypatch.setattr(choice, "EIGEN_ROWS", 100)
    monkeypatch.setattr(choice, "EXACT_ROWS", 100)
    monkeypatch.setattr(landmark_path, "_FIRST_LANDMARKS", 20)
    model = SimplexRidgeClassifier().fit(X, y)
    others = np.setdiff1d(np.arange(150), model.landmark_indices_)
    model.forget(others[:2])
    assert len(model.loo_scores_) == 148
    model.partial_fit(X[others[:2]], y[others[:2]])
    assert len(model.loo_scores_) == 150


def test_a_large_kernel_is_asked_a_few_alphas_and_chooses_as_well(monkeypatch):
    A, b = Xd[:600], yd[:600]
    whole = SimplexRidgeClassifier("rbf").fit(A, b)
    monkeypatch.setattr(design, "EIGEN_ROWS", 100)
    few = SimplexRidgeClassifier("rbf").fit(A, b)
    exact = few.path_.exact
    assert exact.sum() < 10 and exact[few.path_.best]
    assert few.best_score_ >= whole.best_score_ - 0.005
    hits = few.loo_scores_.argmax(axis=1) == b
    assert few.best_score_ == pytest.approx(hits.mean())
    slow = left_out_scores(Kernel("rbf", few.gamma_).matrix(A)[:80, :80], b[:80], 10, few.alpha_)
    small = SimplexRidgeClassifier("rbf", gamma=few.gamma_, alphas=few.alpha_).fit(A[:80], b[:80])
    assert np.allclose(small.loo_scores_, slow, atol=1e-8)


@pytest.mark.parametrize(
    "moved",
    [lambda A: 1e30 * A, lambda A: 1e150 * A, lambda A: 1e-30 * A, lambda A: A + 2.0**27],
    ids=["1e30", "1e150", "1e-30", "far"],
)
def test_the_choice_does_not_depend_on_unit_or_origin(moved):
    """Samples are single precision, which has neither the range nor the digits for all rows."""
    eighths = np.round(8 * X) / 8  # So that the rows that lie far off are the same rows.
    plain = SimplexRidgeClassifier().fit(eighths, y)
    other = SimplexRidgeClassifier().fit(moved(eighths), y)
    assert (other.kernel_, other.scaling_) == (plain.kernel_, plain.scaling_)
    assert other.best_score_ == plain.best_score_
    assert np.array_equal(other.predict(moved(eighths)), plain.predict(eighths))


def test_a_row_that_dwarfs_all_others_leaves_the_default_a_choice():
    model = SimplexRidgeClassifier().fit(np.r_[X[:149], [[1e20, 0, 0, 0]]], y)
    assert model.score(X[:149], y[:149]) >= 0.97


def test_a_whole_kernel_of_rows_far_from_zero_is_that_of_the_rows():
    """Of so many rows the kernel may be made in single precision."""
    Xb, yb = make_blobs(1800, n_features=6, centers=8, cluster_std=2.5, random_state=0)
    Xb = np.round(64 * Xb) / 64
    near = SimplexRidgeClassifier("rbf").fit(Xb, yb)
    far = SimplexRidgeClassifier("rbf").fit(Xb + 2.0**24, yb)
    assert near.n_landmarks_ == far.n_landmarks_ == 0
    assert far.best_score_ == pytest.approx(near.best_score_, abs=2e-3)
    assert np.mean(far.predict(Xb + 2.0**24) == near.predict(Xb)) >= 0.995
