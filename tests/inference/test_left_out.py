import pickle

import numpy as np
import pytest
from sklearn.datasets import load_digits

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.inference.left_out import LeftOutRows

X, y = load_digits(return_X_y=True)


@pytest.mark.parametrize("calibration", ["temperature", "vector"])
@pytest.mark.parametrize("coverage", [0.9, 0.98])
def test_sets_cover_as_often_as_asked_and_are_never_empty(calibration, coverage):
    hits = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(y))
        train, test = order[:500], order[500:]
        model = SimplexRidgeClassifier(kernel="linear", alphas=10.0, calibration=calibration)
        sets = model.fit(X[train], y[train]).predict_set(X[test], coverage)
        assert sets.any(axis=1).all()
        best = model.predict(X[test])
        assert sets[np.arange(len(test)), best].all()
        hits.append(sets[np.arange(len(test)), y[test]].mean())
    assert coverage - 0.015 < np.mean(hits) < max(coverage, model.score(X[test], y[test])) + 0.02


def test_class_conditional_sets_cover_the_worst_class_better():
    train, test = np.arange(900), np.arange(900, len(y))
    model = SimplexRidgeClassifier(kernel="linear", alphas=1000.0).fit(X[train], y[train])

    def worst(**options):
        covered = model.predict_set(X[test], 0.9, **options)[np.arange(len(test)), y[test]]
        return min(covered[y[test] == k].mean() for k in range(10))

    assert worst(class_conditional=True) > worst() + 0.05


def test_rows_of_weight_zero_and_files_change_nothing():
    w = np.ones(600)
    w[:50] = 0
    some = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X[:600], y[:600], w)
    fewer = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X[50:600], y[50:600])
    expected = fewer.predict_set(X[600:])
    assert np.array_equal(some.predict_set(X[600:]), expected)
    assert np.array_equal(pickle.loads(pickle.dumps(some)).predict_set(X[600:]), expected)


@pytest.mark.parametrize("coverage", [1.5, 0.0, np.nan, "a", None])
def test_misuse_is_named(coverage):
    model = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X[:200], y[:200])
    with pytest.raises(ValueError, match="coverage must lie between 0 and 1, got"):
        model.predict_set(X[:2], coverage=coverage)


def test_rows_say_which_scores_are_theirs():
    scores = np.arange(8.0).reshape(4, 2)
    every = LeftOutRows(np.zeros(4, dtype=int), None, None)
    assert every.of(scores) is scores
    some = LeftOutRows(np.zeros(2, dtype=int), None, np.array([True, False, False, True]))
    assert some.of(scores).tolist() == [[0, 1], [6, 7]]
