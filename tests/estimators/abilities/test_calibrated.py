"""Left-out scores of two sources, one layer of probabilities and sets."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris

from simplexcoding import SimplexRidgeClassifier, SimplexSVC
from simplexcoding.inference import fit_calibration, fit_set_rule

X, y = load_iris(return_X_y=True)
X = X + np.random.default_rng(0).normal(scale=0.4, size=X.shape)
MODELS = {
    "ridge": SimplexRidgeClassifier("linear", alphas=1.0),
    "ridge, none": SimplexRidgeClassifier("linear", alphas=1.0, calibration="none"),
    "svc": SimplexSVC(C=1.0, calibration="temperature"),
    "svc, vector": SimplexSVC(C=1.0, calibration="vector"),
}
DIGITS, LABELS = load_digits(return_X_y=True)
WEIGHTS = np.random.default_rng(1).integers(0, 4, len(y)).astype(float)


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_probabilities_and_sets_follow_from_the_left_out_scores(model, class_weight):
    model.set_params(class_weight=class_weight).fit(X, y, sample_weight=WEIGHTS)
    kept = WEIGHTS > 0
    left_out, own = model.left_out_scores_[kept], y[kept]
    weights = WEIGHTS[kept]
    if class_weight == "balanced":
        weights = weights * weights.sum() / (3 * np.bincount(own, weights))[own]
    by_hand = fit_calibration(model.calibration_.name, left_out, own, weights)
    raw = model.function_.scores(X)
    assert np.allclose(model.predict_proba(X), by_hand.probabilities(raw), atol=1e-9)
    counts = weights if class_weight is None else None
    rule = fit_set_rule(by_hand.decisions(left_out), own, 0.8, False, counts)
    assert np.array_equal(model.predict_set(X, 0.8), rule.sets(by_hand.decisions(raw)))
    assert np.allclose(model.left_out_scores_[~kept], raw[~kept])


@pytest.mark.parametrize("calibration", ["temperature", "vector"])
@pytest.mark.parametrize("coverage", [0.9, 0.98])
def test_sets_cover_as_often_as_asked_and_are_never_empty(calibration, coverage):
    hits = []
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(len(LABELS))
        train, test = order[:500], order[500:]
        model = SimplexRidgeClassifier(kernel="linear", alphas=10.0, calibration=calibration)
        sets = model.fit(DIGITS[train], LABELS[train]).predict_set(DIGITS[test], coverage)
        assert sets.any(axis=1).all()
        best = model.predict(DIGITS[test])
        assert sets[np.arange(len(test)), best].all()
        hits.append(sets[np.arange(len(test)), LABELS[test]].mean())
    right = model.score(DIGITS[test], LABELS[test])
    assert coverage - 0.015 < np.mean(hits) < max(coverage, right) + 0.02


def test_class_conditional_sets_cover_the_worst_class_better():
    train, test = np.arange(900), np.arange(900, len(LABELS))
    model = SimplexRidgeClassifier(kernel="linear", alphas=1000.0).fit(DIGITS[train], LABELS[train])

    def worst(**options):
        sets = model.predict_set(DIGITS[test], 0.9, **options)
        covered = sets[np.arange(len(test)), LABELS[test]]
        return min(covered[LABELS[test] == k].mean() for k in range(10))

    assert worst(class_conditional=True) > worst() + 0.05


def test_rows_of_weight_zero_and_files_change_nothing():
    w = np.ones(600)
    w[:50] = 0
    some = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(DIGITS[:600], LABELS[:600], w)
    fewer = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(DIGITS[50:600], LABELS[50:600])
    expected = fewer.predict_set(DIGITS[600:])
    assert np.array_equal(some.predict_set(DIGITS[600:]), expected)
    assert np.array_equal(pickle.loads(pickle.dumps(some)).predict_set(DIGITS[600:]), expected)


@pytest.mark.parametrize("coverage", [1.5, 0.0, np.nan, "a", None])
def test_misuse_is_named(coverage):
    model = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(DIGITS[:200], LABELS[:200])
    with pytest.raises(ValueError, match="coverage must lie between 0 and 1, got"):
        model.predict_set(DIGITS[:2], coverage=coverage)
