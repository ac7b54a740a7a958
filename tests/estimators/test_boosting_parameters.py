import numpy as np
import pytest

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.estimators.boosting_parameters import feature_count, tree_depth

X = np.random.default_rng(0).normal(size=(20, 3))
y = np.arange(20) % 3


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"loss": "cone"}, "loss must be 'exponential' or 'logistic', got 'cone'"),
        ({"method": "newton"}, "method must be 'gradient' or 'coordinate', got 'newton'"),
        ({"leaves": 3}, "leaves must be 'vector' or 'vertex', got 3"),
        ({"coordinates": "one"}, "coordinates must be 'all' or 'best', got 'one'"),
        ({"n_estimators": 0}, "n_estimators must be an integer >= 1, got 0"),
        ({"n_estimators": 2.5}, "n_estimators must be an integer >= 1, got 2.5"),
        ({"learning_rate": 1.5}, r"learning_rate must be in \(0, 1\], got 1.5"),
        ({"learning_rate": 0}, r"learning_rate must be in \(0, 1\], got 0"),
        ({"learning_rate": float("nan")}, r"learning_rate must be in \(0, 1\], got nan"),
        ({"max_depth": 11}, "max_depth must be an integer from 1 to 10, got 11"),
        ({"max_bins": 256}, "max_bins must be an integer from 2 to 255, got 256"),
        ({"max_bins": 1}, "max_bins must be an integer from 2 to 255, got 1"),
        ({"min_samples_leaf": 0}, "min_samples_leaf must be an integer >= 1, got 0"),
        ({"min_weight_fraction_leaf": 0.5}, r"min_weight_fraction_leaf must be in \[0, 0.5\)"),
        ({"max_features": 0}, "max_features must be an integer >= 1, .* got 0"),
        ({"max_features": 1.5}, "max_features must be .* got 1.5"),
        ({"max_features": "auto"}, "max_features must be .* got 'auto'"),
        ({"n_iter_no_change": 0}, "n_iter_no_change must be an integer >= 1, got 0"),
        ({"validation_fraction": 1.0}, r"validation_fraction must be in \(0, 1\), got 1.0"),
        ({"tol": -1e-3}, "tol must be a number >= 0, got -0.001"),
        ({"estimator": "tree"}, "estimator must be a regressor .* got 'tree'"),
        ({"verbose": "yes"}, "verbose must be True, False or \"auto\", got 'yes'"),
    ],
)
def test_misuse_is_named_and_changes_nothing(parameters, words):
    model = SimplexBoostingClassifier(n_estimators=2).fit(X, y)
    before = model.decision_function(X)
    model.set_params(**parameters)
    with pytest.raises(ValueError, match=words):
        model.fit(X, y)
    assert np.array_equal(model.decision_function(X), before)


@pytest.mark.parametrize(
    ("max_features", "count"),
    [(None, 600), (7, 7), (1000, 600), (0.5, 300), (1e-6, 1), ("sqrt", 24), ("log2", 9)],
)
def test_feature_count(max_features, count):
    assert feature_count(max_features, 600) == count


def test_depth_depends_on_the_method():
    assert tree_depth(SimplexBoostingClassifier()) == 2
    assert tree_depth(SimplexBoostingClassifier(method="coordinate")) == 1
    assert tree_depth(SimplexBoostingClassifier(method="coordinate", max_depth=4)) == 4


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"loss": "logistic"}, "loss is 'logistic' and was 'exponential'"),
        ({"method": "coordinate"}, "method is 'coordinate' and was 'gradient'"),
        ({"max_depth": 3}, "max_depth is 3 and was 2"),
    ],
)
def test_a_warm_start_keeps_its_recipe(change, words):
    model = SimplexBoostingClassifier(n_estimators=2, warm_start=True).fit(X, y)
    model.set_params(n_estimators=4, **change)
    with pytest.raises(ValueError, match=f"{words} in the last fit: set warm_start=False"):
        model.fit(X, y)
    assert model.n_estimators_ == 2


def test_a_warm_start_keeps_its_classes_and_features():
    model = SimplexBoostingClassifier(n_estimators=2, warm_start=True).fit(X, y)
    with pytest.raises(ValueError, match=r"classes is \(0, 1\) and was \(0, 1, 2\)"):
        model.fit(X, y % 2)
    with pytest.raises(ValueError, match="n_features is 2 and was 3"):
        model.fit(X[:, :2], y)
