import pytest
from sklearn.base import is_classifier

import simplexcoding
from simplexcoding.datasets import load
from simplexcoding.experiments import methods
from simplexcoding.experiments.methods import METHODS, Task, available_methods
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
def test_each_method_learns_wine(key):
    split = load("wine").standardised()
    model = METHODS[key].build(Task(split.X_train, QUICK))
    assert is_classifier(model)
    model.fit(split.X_train, split.y_train)
    # The largest class has 39 of 100 wines.
    assert model.score(split.X_test, split.y_test) > 0.8


def test_every_estimator_of_the_package_has_a_row():
    estimators = {name for name in simplexcoding.__all__ if name.startswith("Simplex")}
    assert estimators - {"SimplexCode"} <= {method.needs for method in METHODS.values()}
