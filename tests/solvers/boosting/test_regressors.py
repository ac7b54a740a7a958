"""Weak learners of scikit-learn inside the boosting estimator."""

from functools import partial
from operator import attrgetter

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeRegressor

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.losses import get_loss

PUBLISHED = partial(SimplexBoostingClassifier, loss="exponential", method="gradient")

# Distinct values: ties between splits are broken in other ways by scikit-learn.
rng = np.random.default_rng(0)
X = rng.normal(size=(200, 4))
y = np.digitize(X[:, 0] + X[:, 1] ** 2 + 0.3 * rng.normal(size=200), [0.2, 1.2])


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
@pytest.mark.parametrize(
    ("method", "coordinates", "depth"),
    [
        ("gradient", "all", 2),
        ("coordinate", "all", 1),
        ("coordinate", "best", 1),
        ("coordinate", "all", 2),
    ],
)
def test_scikit_learns_tree_gives_the_built_in_model(method, coordinates, depth, loss):
    parameters = {"loss": loss, "method": method, "coordinates": coordinates, "n_estimators": 8}
    ours = SimplexBoostingClassifier(max_depth=depth, **parameters).fit(X, y)
    tree = DecisionTreeRegressor(max_depth=depth, random_state=0)
    peer = SimplexBoostingClassifier(estimator=tree, **parameters).fit(X, y)
    assert np.allclose(ours.train_score_, peer.train_score_, rtol=1e-8)
    assert np.allclose(ours.decision_function(X), peer.decision_function(X), rtol=1e-6)
    if method == "gradient":
        assert np.allclose(ours.feature_importances_, peer.feature_importances_)


@pytest.mark.parametrize("method", ["gradient", "coordinate"])
def test_any_regressor_lowers_the_risk(method):
    model = SimplexBoostingClassifier(
        loss="logistic", method=method, n_estimators=15, estimator=LinearRegression()
    ).fit(X, y)
    assert np.all(np.diff(model.train_score_) < 0)
    S = model.decision_function(X)
    assert model.train_score_[-1] == pytest.approx(get_loss("logistic").value(S, y).mean())
    stages = list(model.staged_decision_function(X))
    assert np.array_equal(stages[-1], model.decision_function(X))
    with pytest.raises(AttributeError, match="feature_importances_"):
        attrgetter("feature_importances_")(model)


def test_two_classes_hand_the_regressor_flat_targets():
    model = PUBLISHED(n_estimators=5, estimator=DecisionTreeRegressor(max_depth=1))
    model.fit(X[y > 0], y[y > 0])
    assert model.decision_function(X).shape == (200,)
    own = SimplexBoostingClassifier("exponential", "gradient", 5, max_depth=1).fit(
        X[y > 0], y[y > 0]
    )
    assert np.allclose(model.decision_function(X), own.decision_function(X), rtol=1e-6)


def test_open_seeds_come_from_the_random_state():
    def scores(seed):
        tree = DecisionTreeRegressor(max_depth=2, max_features=1)
        model = PUBLISHED(n_estimators=5, estimator=tree, random_state=seed)
        return model.fit(X, y).decision_function(X)

    assert np.array_equal(scores(0), scores(0))
    assert not np.array_equal(scores(0), scores(1))


def test_the_given_regressor_is_left_unfitted_and_warm_starts_go_on():
    tree = DecisionTreeRegressor(max_depth=2, random_state=0)
    model = PUBLISHED(n_estimators=3, estimator=tree, warm_start=True).fit(X, y)
    assert not hasattr(tree, "tree_")
    model.set_params(n_estimators=6).fit(X, y)
    whole = PUBLISHED(n_estimators=6, estimator=tree).fit(X, y)
    assert np.allclose(model.decision_function(X), whole.decision_function(X), rtol=1e-9)
