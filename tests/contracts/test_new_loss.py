"""A loss added by the steps of CONTRIBUTING is taken by every estimator that can take it.

The toys are known losses in another form, so that every answer has an exact expectation.
"""

import pickle
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from simplexcoding import SimplexBoostingClassifier, SimplexSGDClassifier, SimplexSVC
from simplexcoding.arrays import centred
from simplexcoding.losses import CATALOGUE, Loss, Odds, get_loss, losses_offering
from simplexcoding.losses.loss import own, scores_and_labels, step_sizes, within

X, y = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)


@dataclass(frozen=True)
class Linear(Loss):
    """V(u, y) = sum over k != y of u_k + 1, where the hinge of the cone is never flat.

    With f anywhere it has no minimiser of its own; the penalty gives it one in closed form.
    """

    name: ClassVar[str] = "toy"

    def value(self, S, y):
        S, y = scores_and_labels(S, y)
        return 1 - own(S, y)

    def subgradient(self, S, y):
        S, y = scores_and_labels(S, y)
        return centred(-np.eye(S.shape[1])[y])

    @property
    def row_step(self):
        return _row_step

    def prox(self, S, y, step):
        S, y = scores_and_labels(S, y)
        return centred(S) - step_sizes(step, S)[:, None] * self.subgradient(S, y)

    def conjugate(self, Z, y):
        Z, y = scores_and_labels(Z, y)
        gap = np.abs(centred(Z) - self.subgradient(Z, y)).max(axis=1)
        return np.where(within(gap), -1.0, np.inf)

    def is_consistent(self, n_classes):
        return False

    def largest_pull(self, n_classes):
        return np.inf


def _row_step(u, y, g):
    for k in range(len(u)):
        g[k] = 1.0 / len(u)
    g[y] -= 1.0
    return 1.0 - u[y]


class Renamed(type(get_loss("logistic"))):
    """The logistic loss by another name."""

    name: ClassVar[str] = "toy_odds"


@dataclass(frozen=True)
class Bare(Loss):
    """What a loss must have, and no more."""

    name: ClassVar[str] = "bare"

    def value(self, S, y):
        return Linear().value(S, y)

    def subgradient(self, S, y):
        return Linear().subgradient(S, y)

    def is_consistent(self, n_classes):
        return False

    def largest_pull(self, n_classes):
        return 1.0


@pytest.fixture(autouse=True)
def _catalogue(monkeypatch):
    for loss in (Linear, Renamed, Bare):
        monkeypatch.setitem(CATALOGUE, loss.name, loss)


def test_what_a_loss_offers_is_what_it_has():
    assert Linear().offers("prox", "conjugate", "row_step") and not Linear().offers("odds")
    assert not any(Bare().offers(need) for need in ("prox", "conjugate", "row_step", "odds"))
    assert losses_offering("odds") == ("exponential", "logistic", "toy_odds")
    assert Renamed().odds is Odds.LOGARITHM
    with pytest.raises(NotImplementedError, match="bare has no prox"):
        Bare().prox(np.zeros((1, 3)), [0], 1.0)


def test_online_takes_it():
    """The minimiser of 1 - u_y + alpha ||W||^2 is the mean of the vertices times their rows."""
    alpha = 0.3
    model = SimplexSGDClassifier("toy", alpha, fit_intercept=False, tol=None, max_iter=400)
    model.set_params(random_state=0, learning_rate="pegasos", project=False).fit(X, y)
    vertices = (3 * np.eye(3)[y] - 1) / 2
    expected = vertices.T @ X / (2 * alpha * len(y))
    assert np.allclose(model.coef_, expected, atol=0.02 * np.abs(expected).max())


def test_margin_machines_take_it():
    """The minimiser of 1/2 ||f||^2 + C sum (1 - u_y) is C times the sum of the vertices' rows."""
    C = 1e-4
    model = SimplexSVC("toy", kernel="linear", fit_intercept=False, C=C, tol=1e-8).fit(X, y)
    vertices = (3 * np.eye(3)[y] - 1) / 2
    assert np.allclose(model.coef_, C * vertices.T @ X, rtol=1e-4, atol=1e-9)
    assert np.isclose(model.objective_, C * len(y) - 0.5 * C**2 * _square(vertices.T @ X))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))


def _square(W):
    """||f||^2 of the scores' weights of three classes."""
    return 2 / 3 * np.sum(W**2)


def test_a_renamed_loss_is_the_loss_itself_in_every_estimator():
    for build in (
        lambda loss: SimplexSGDClassifier(loss, max_iter=3, tol=None, random_state=0),
        lambda loss: SimplexSVC(loss, C=1.0),
        lambda loss: SimplexBoostingClassifier(loss=loss, n_estimators=4, random_state=0),
        lambda loss: SimplexBoostingClassifier(loss=loss, n_estimators=4, method="coordinate"),
    ):
        mine, theirs = build("toy_odds").fit(X, y), build("logistic").fit(X, y)
        assert np.array_equal(mine.decision_function(X), theirs.decision_function(X))


@pytest.mark.parametrize(
    ("estimator", "loss"),
    [(SimplexSGDClassifier, "bare"), (SimplexSVC, "bare"), (SimplexBoostingClassifier, "toy")],
)
def test_what_it_cannot_serve_it_names_with_those_it_can(estimator, loss):
    with pytest.raises(ValueError, match=rf"(?s)loss.*logistic.*{loss!r}"):
        estimator(loss=loss).fit(X, y)
