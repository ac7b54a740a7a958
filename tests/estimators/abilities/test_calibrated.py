"""Left-out scores of two sources, one layer of probabilities and sets."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

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
    by_hand = fit_calibration(model.calibration, left_out, own, weights)
    raw = model.function_.scores(X)
    assert np.allclose(model.predict_proba(X), by_hand.probabilities(raw), atol=1e-9)
    counts = weights if class_weight is None else None
    rule = fit_set_rule(by_hand.decisions(left_out), own, 0.8, False, counts)
    assert np.array_equal(model.predict_set(X, 0.8), rule.sets(by_hand.decisions(raw)))
    assert np.allclose(model.left_out_scores_[~kept], raw[~kept])
