"""Stages, importances and probabilities in parallel blocks of a boosted model."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris

from simplexcoding import SimplexBoostingClassifier, threads
from simplexcoding.losses import get_loss

X, y = load_digits(return_X_y=True)
X_train, y_train, X_test, y_test = X[::2], y[::2], X[1::2], y[1::2]
GRADIENT = {"loss": "exponential", "method": "gradient"}
COORDINATE = {"loss": "exponential", "method": "coordinate"}
WAYS = [GRADIENT, COORDINATE]


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize("method", ["gradient", "coordinate"])
def test_stages_lead_to_the_model(method, loss):
    model = SimplexBoostingClassifier(loss, method, n_estimators=20).fit(X_train, y_train)
    scores = list(model.staged_decision_function(X_test))
    labels = list(model.staged_predict(X_test))
    assert len(scores) == len(labels) == model.n_estimators_ == 20
    assert np.array_equal(scores[-1], model.decision_function(X_test))
    assert np.array_equal(labels[-1], model.predict(X_test))
    assert np.array_equal(labels[3], scores[3].argmax(axis=1))
    assert abs(scores[-1].sum(axis=1)).max() < 1e-10
    risks = [
        get_loss(loss).value(S, y_train).mean() for S in model.staged_decision_function(X_train)
    ]
    assert np.allclose(model.train_score_, risks, rtol=1e-10)
    assert np.all(np.diff(model.train_score_) < 0)


def test_importances_are_on_the_features_that_matter():
    iris, species = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    Z = np.c_[rng.normal(size=(150, 3)), iris]
    for way in (*WAYS, {"random_state": 0, "max_features": None}):
        model = SimplexBoostingClassifier(n_estimators=5, **way).fit(Z, species)
        assert model.feature_importances_.sum() == pytest.approx(1.0)
        assert model.feature_importances_[5:].sum() > 0.8
        assert model.feature_importances_.min() >= 0


def test_rows_are_answered_in_blocks_by_several_threads(monkeypatch):
    model = SimplexBoostingClassifier(n_estimators=20, random_state=0).fit(X_train, y_train)
    alone = model.predict_proba(X_test)
    taken = []
    pool = threads._pool

    def counted(*which):
        taken.append(which)
        return pool(*which)

    monkeypatch.setattr(threads, "_wanted", lambda: 3)
    monkeypatch.setattr(threads, "_pool", counted)
    assert np.array_equal(model.predict_proba(X_test), alone)
    assert len(taken) == 1
