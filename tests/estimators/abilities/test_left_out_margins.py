import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError

from simplexcoding import SimplexSVC
from simplexcoding.persistence import load, save

LOSSES = ["cone", "half_space", "relative", "vertex", "logistic", "least_squares"]


def rows(n=60, seed=0):
    X, y = make_blobs(n, centers=3, cluster_std=2.5, random_state=seed)
    return X / 4, y


def refit(model, X, y, w, i):
    """Scores of row i by a model that is fitted to the others."""
    rest = np.arange(len(y)) != i
    options = {**model.get_params(), "C": model.C_, "gamma": model.gamma_, "tol": 1e-6}
    alone = SimplexSVC(**options).fit(X[rest], y[rest], None if w is None else w[rest])
    return alone._checked_scores(X[i : i + 1])[0]


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_the_estimate_is_that_of_refits(loss, kernel):
    X, y = rows()
    w = np.random.default_rng(1).uniform(0.3, 3, size=60)
    model = SimplexSVC(loss, kernel=kernel, C=1.0).fit(X, y, w)
    found = model.leave_one_out_scores(X, y, w)
    assert found.shape == (60, 3)
    chosen = np.arange(0, 60, 7)
    refits = np.array([refit(model, X, y, w, i) for i in chosen])
    assert (found[chosen].argmax(axis=1) == refits.argmax(axis=1)).all()
    # Only rows near a tie are followed to their end.
    moved = np.abs(refits - model.decision_function(X)[chosen]).mean()
    assert np.abs(found[chosen] - refits).mean() < max(0.5 * moved, 5e-3)
    wrong = found.argmax(axis=1) != y
    error = model.leave_one_out_error(X, y, w)
    assert error == pytest.approx(np.average(wrong, weights=w))
    low, high = model.leave_one_out_bounds_
    assert low <= error <= high


def test_rows_of_weight_zero_have_the_scores_of_the_fit():
    X, y = rows()
    w = np.ones(60)
    w[::6] = 0
    model = SimplexSVC(C=1.0).fit(X, y, w)
    found = model.leave_one_out_scores(X, y, w)
    assert np.allclose(found[::6], model.decision_function(X[::6]))
    kept = w > 0
    alone = SimplexSVC(C=1.0, gamma=model.gamma_).fit(X[kept], y[kept])
    assert np.allclose(found[kept], alone.leave_one_out_scores(X[kept], y[kept]), atol=1e-4)


def test_landmarks_precomputed_sparse_two_classes_and_single_precision():
    X, y = rows()
    pair = y < 2
    model = SimplexSVC(C=1.0).fit(X, y)
    expected = model.leave_one_out_scores(X, y)
    K = np.exp(-model.gamma_ * ((X[:, None] - X) ** 2).sum(axis=2))
    by_kernel = SimplexSVC(kernel="precomputed", C=1.0).fit(K, y)
    assert np.allclose(by_kernel.leave_one_out_scores(K, y), expected, atol=1e-4)
    all_rows = SimplexSVC(C=1.0, landmarks=60).fit(X, y)
    assert np.allclose(all_rows.leave_one_out_scores(X, y), expected, atol=1e-3)
    few = SimplexSVC(C=1.0, landmarks=15).fit(X, y)
    assert 0 <= few.leave_one_out_error(X, y) <= 0.5
    single = SimplexSVC(C=1.0).fit(X.astype(np.float32), y)
    assert np.allclose(single.leave_one_out_scores(X.astype(np.float32), y), expected, atol=1e-2)
    two = SimplexSVC(C=1.0).fit(X[pair], y[pair])
    assert two.leave_one_out_scores(X[pair], y[pair]).shape == (pair.sum(), 2)
    linear = SimplexSVC(kernel="linear", C=1.0).fit(X, y)
    sparse = SimplexSVC(kernel="linear", C=1.0).fit(csr_matrix(X), y)
    dense = linear.leave_one_out_scores(X, y)
    assert np.allclose(sparse.leave_one_out_scores(csr_matrix(X), y), dense, atol=1e-4)


def test_other_rows_than_those_of_the_fit_are_refused():
    X, y = rows()
    w = np.ones(60)
    model = SimplexSVC(C=1.0).fit(X, y)
    swapped = y.copy()
    swapped[[0, 1]] = (y[[0, 1]] + 1) % 3
    assert len(np.unique(swapped)) == 3
    w[0] = 2.0
    wrong = [
        (X + 0.1 * np.arange(60)[:, None], y, None),
        (X[::-1], y, None),
        (X, swapped, None),
        (X[:50], y[:50], None),
        (X, y, w),
        (X, y + 1, None),
    ]
    for rows_, labels, weights in wrong:
        with pytest.raises(ValueError, match="those of the fit"):
            model.leave_one_out_error(rows_, labels, weights)
    with pytest.raises(NotFittedError):
        SimplexSVC().leave_one_out_error(X, y)
    few = SimplexSVC(C=1.0, landmarks=10).fit(X, y)
    moved = np.ones(60)
    moved[few.landmark_indices_[-1]] = 0
    with pytest.raises(ValueError, match="those of the fit"):
        few.leave_one_out_error(X, y, moved)


def test_asking_leaves_the_model_as_it_was():
    X, y = rows()
    model = SimplexSVC(C=1.0).fit(X, y)
    before = sorted(vars(model))
    with pytest.raises(ValueError, match="those of the fit"):
        model.leave_one_out_scores(X[:, :1], y)
    model.leave_one_out_scores(X, y)
    assert sorted(vars(model)) == before and model.n_features_in_ == 2


def test_a_model_from_a_file_answers_alike(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = SimplexSVC(C=1.0, class_weight="balanced").fit(X[:140], y[:140])
    save(model, tmp_path / "model.simplex")
    again = load(tmp_path / "model.simplex")
    error = model.leave_one_out_error(X[:140], y[:140])
    assert again.leave_one_out_error(X[:140], y[:140]) == error
