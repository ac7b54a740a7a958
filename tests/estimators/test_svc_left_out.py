"""What a margin machine says of rows it has not seen: scores, probabilities, bounds."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning

from reference.models import random_classes
from simplexcoding import SimplexSVC, audit_labels
from simplexcoding.kernels import Kernel
from simplexcoding.selection.row_copies import folds_of_copies

# What random_state=0 stands for.
SEED = np.random.RandomState(0).randint(2**31 - 1)


def test_left_out_scores_are_those_of_machines_without_the_fold():
    X, y, rng = random_classes(3, n=60)
    w = rng.integers(0, 3, size=60).astype(float)
    fine = dict(gamma=0.3, C=2.0, tol=1e-9, max_iter=100_000)
    model = SimplexSVC(calibration="temperature", **fine).fit(X, y, w)
    kept = np.flatnonzero(w)
    folds = folds_of_copies(X[kept], y[kept], 5, SEED)
    assert len(folds) == 5
    for fold in folds:
        rest = np.delete(kept, fold)
        alone = SimplexSVC(**fine).fit(X[rest], y[rest], w[rest])
        expected = alone.decision_function(X[kept[fold]])
        assert np.allclose(model.left_out_scores_[kept[fold]], expected, atol=1e-3)
    # Scores and decisions are those of the fit without calibration.
    plain = SimplexSVC(**fine).fit(X, y, w)
    assert np.array_equal(model.decision_function(X), plain.decision_function(X))


def test_probabilities_are_there_where_they_are_asked_for():
    X, y, _ = random_classes(3, n=60)
    model = SimplexSVC(C=1.0).fit(X, y)
    for name in ("predict_proba", "predict_set"):
        assert not hasattr(model, name)
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'") as caught:
            getattr(model, name)
        assert "need calibration=" in str(caught.value.__cause__)
    assert not hasattr(model, "left_out_scores_")
    # Asked for too late: nothing is made up.
    assert not hasattr(model.set_params(calibration="temperature"), "predict_proba")
    assert hasattr(SimplexSVC(calibration="vector"), "predict_proba")
    assert model.fit(X, y).predict_proba(X).shape == (60, 3)
    assert not hasattr(model.set_params(calibration="none").fit(X, y), "left_out_scores_")


@pytest.mark.parametrize("options", [{}, {"kernel": "linear"}, {"landmarks": 12}], ids=repr)
def test_leave_one_out_bounds_hold_the_error_of_refits(options):
    X, y, rng = random_classes(3, n=30)
    w = rng.integers(0, 3, size=30).astype(float)
    model = SimplexSVC(gamma=0.3, C=1.0, **options).fit(X, y, w)
    low, high = model.leave_one_out_bounds_
    kept = np.flatnonzero(w)
    wrong = np.empty(len(kept), dtype=bool)
    for place, i in enumerate(kept):
        rest = np.delete(kept, place)
        if "landmarks" in options:  # The landmarks stay when their rows leave.
            K = Kernel("rbf", 0.3).matrix(X, X[model.landmark_indices_])
            inner = K[model.landmark_indices_]
            K = K @ np.linalg.pinv(inner, rcond=1e-12, hermitian=True) @ K.T
            alone = SimplexSVC(kernel="precomputed", landmarks=None, C=1.0, tol=1e-5)
            alone.fit(K[np.ix_(rest, rest)], y[rest], w[rest])
            wrong[place] = alone.predict(K[i : i + 1, rest])[0] != y[i]
        else:
            alone = SimplexSVC(gamma=0.3, C=1.0, tol=1e-5, **options).fit(X[rest], y[rest], w[rest])
            wrong[place] = alone.predict(X[i : i + 1])[0] != y[i]
    assert low <= np.average(wrong, weights=w[kept]) <= high
    assert high < 1 and low < high  # It says something.


def test_audit_finds_swapped_labels_by_left_out_scores_of_margins():
    X, y = load_iris(return_X_y=True)
    y[[3, 80]] = 2, 0
    audit = audit_labels(SimplexSVC(calibration="temperature").fit(X, y), y)
    assert sorted(audit.row[:2].tolist()) == [3, 80]


def test_folds_that_stop_early_warn_once():
    X, y = make_blobs(200, centers=4, cluster_std=3.0, random_state=0)
    fit = dict(C=100.0, tol=1e-3, gamma=0.5)
    needed = SimplexSVC(**fit).fit(X, y).n_iter_
    with pytest.warns(ConvergenceWarning, match="SimplexSVC stopped") as caught:
        SimplexSVC(max_iter=needed // 3, calibration="vector", **fit).fit(X, y)
    assert len(caught) == 1
