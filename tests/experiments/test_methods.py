import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV

import simplexcoding
from simplexcoding.datasets import load
from simplexcoding.experiments import methods
from simplexcoding.experiments.methods import METHODS, Task, available_methods
from simplexcoding.experiments.plain_online import PlainOnline, lambda_ranges
from simplexcoding.experiments.protocol import QUICK


def test_methods_of_an_absent_estimator_are_not_offered(monkeypatch):
    monkeypatch.setattr(methods.simplexcoding, "__all__", ["SimplexRidgeClassifier"])
    assert list(available_methods()) == ["ls_linear", "ls_rbf", "ova_linear", "ova_rbf"]


def test_the_paper_comes_first_and_names_what_the_package_has():
    in_paper = [method.in_paper for method in METHODS.values()]
    assert in_paper == sorted(in_paper, reverse=True)
    home = {
        "SimplexRidgeClassifier",
        "SimplexSGDClassifier",
        "SimplexSVC",
        "SimplexBoostingClassifier",
        None,
    }
    assert {method.needs for method in METHODS.values()} == home


# Few passes and no hull are what these methods are.
@pytest.mark.filterwarnings("ignore:max_iter", "ignore:.*half_space")
@pytest.mark.parametrize("key", available_methods())
def test_each_method_answers_as_what_it_chose_does_alone(key):
    split = load("wine").standardised()
    X, y = split.X_train, split.y_train
    model = METHODS[key].build(Task(X, QUICK))
    assert is_classifier(model)
    model.fit(X, y)
    if isinstance(model, PlainOnline):
        # It learns from the rows that are not held out; test_plain_online has its twin.
        ranges = lambda_ranges(X, QUICK)
        assert model.lambda_ in ranges[model.chosen_.range]
        assert model.chosen_.held_out == max(each.held_out for each in model.choices_)
        return
    if isinstance(model, GridSearchCV):
        grid, chosen = QUICK.costs(), next(iter(model.best_params_.values()))
        alone = clone(model.estimator).set_params(**model.best_params_)
    else:
        name, found = {
            "SimplexSGDClassifier": ("alpha", "alpha_"),
            "SimplexRidgeClassifier": ("alphas", "alpha_"),
            "SimplexSVC": ("C", "C_"),
            "SimplexBoostingClassifier": ("n_estimators", "n_estimators_"),
        }[type(model).__name__]
        chosen = getattr(model, found)
        grid = model.path_.alphas if name == "alphas" else np.atleast_1d(getattr(model, name))
        alone = clone(model).set_params(**{name: chosen})
    assert chosen in grid
    answers = alone.fit(X, y).predict(split.X_test)
    assert np.array_equal(model.predict(split.X_test), answers)


def test_every_estimator_of_the_package_has_a_row():
    estimators = {name for name in simplexcoding.__all__ if name.startswith("Simplex")}
    assert estimators - {"SimplexCode"} <= {method.needs for method in METHODS.values()}
