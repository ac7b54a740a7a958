import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import softmax
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from reference.temperature import smoothed_log_loss
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.inference.profiles import audit_probabilities, profile_scores

rng = np.random.default_rng(0)
y = rng.integers(4, size=300)
L = rng.normal(size=(300, 4)) + 1.5 * np.eye(4)[y]
L -= L.mean(axis=1, keepdims=True)


def test_other_classes_are_measured_as_scikit_learn_does():
    covariance = sum(np.cov(L[y == k].T, bias=True) * (y == k).mean() for k in range(4))
    shrunk = covariance / 2 + np.eye(4) * np.trace(covariance) / 8
    peer = LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=_Fixed(shrunk)).fit(L, y)
    ours, theirs = profile_scores(L, y), peer.decision_function(L)
    others = np.ones_like(ours, dtype=bool)
    others[np.arange(300), y] = False
    gap = np.where(others, ours - theirs, np.nan)
    assert np.nanmax(gap, axis=1) == pytest.approx(np.nanmin(gap, axis=1), abs=1e-9)


class _Fixed:
    """A covariance that is known; the peer asks each class for it."""

    def __init__(self, covariance):
        self.covariance_ = covariance

    def fit(self, X):
        return self

    def get_params(self, deep=True):
        return {"covariance": self.covariance_}


def test_the_row_is_left_out_of_its_own_profile():
    ours = profile_scores(L, y)
    means = np.array([L[y == k].mean(axis=0) for k in range(4)])
    within = L - means[y]
    covariance = within.T @ within / len(y)
    inverse = np.linalg.inv(covariance / 2 + np.eye(4) * np.trace(covariance) / 8)
    for i in (0, 17, 123):
        others = (y == y[i]) & (np.arange(len(y)) != i)
        away = L[i] - L[others].mean(axis=0)
        expected = -away @ inverse @ away / 2 + np.log((y == y[i]).mean())
        assert ours[i, y[i]] == pytest.approx(expected)


def test_a_row_alone_in_its_class_is_not_at_home_there():
    alone = np.append(y, 4)
    S = np.zeros((301, 5))
    S[:300, :4] = L
    S[300] = [2, -0.5, -0.5, -0.5, -0.5]
    assert audit_probabilities(S, alone)[300, 4] < 0.01


def test_a_class_between_two_others_is_seen():
    # On a line least squares never gives the middle class the largest score.
    x = np.repeat([-1.0, 0.0, 1.0], 60) + 0.1 * rng.normal(size=180)
    labels = np.repeat([0, 1, 2], 60)
    S = SimplexRidgeClassifier(kernel="linear", alphas=1e-3).fit(x[:, None], labels).loo_scores_
    assert (S.argmax(axis=1) == labels).mean() < 0.8
    assert (profile_scores(S, labels).argmax(axis=1) == labels).mean() > 0.98


def test_probabilities_are_the_mean_of_two_softmaxes():
    parts = []
    for scores in (L, profile_scores(L, y)):

        def loss(beta, scores=scores):
            return smoothed_log_loss(beta * scores, y)

        best = minimize_scalar(loss, bounds=(0, 20), method="bounded").x
        parts.append(softmax(best * scores, axis=1))
    P = audit_probabilities(L, y)
    assert np.allclose(P, np.mean(parts, axis=0), atol=1e-4)
    assert np.allclose(P.sum(axis=1), 1)


def test_scores_without_spread_and_empty_classes_stay_finite():
    S = np.tile([[1.0, -0.5, -0.5]], (6, 1))
    P = audit_probabilities(S, np.array([0, 0, 0, 1, 1, 1]))
    assert np.allclose(P.sum(axis=1), 1) and np.all(P >= 0)
    assert np.allclose(P, P[0])
