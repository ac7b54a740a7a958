import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import LeaveOneGroupOut, cross_val_score

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.learning import choice, learn, left_out, left_out_words
from simplexcoding.cli.tables import Columns

X, Y = load_iris(return_X_y=True)
FEATURES = [(name, 1) for name in "abcd"]


@pytest.mark.parametrize("standardise", [False, True])
def test_weights_reach_the_estimator(standardise):
    weights = (np.arange(150) % 3).astype(float)
    data = Columns("f.csv", FEATURES, X, Y, weights)
    found = learn(data, "kind", SimplexRidgeClassifier("rbf", gamma=0.1), standardise)
    rows = (X - X.mean(axis=0)) / X.std(axis=0) if standardise else X
    expected = SimplexRidgeClassifier("rbf", gamma=0.1).fit(rows, Y, weights)
    assert found.estimator.alpha_ == pytest.approx(expected.alpha_)
    assert found.estimator.best_score_ == expected.best_score_


def test_groups_are_left_out_together():
    groups = np.arange(150) % 7
    found = learn(
        Columns("f.csv", FEATURES, X, Y, None, groups),
        "kind",
        SimplexRidgeClassifier(kernel="linear"),
        False,
    )
    expected = SimplexRidgeClassifier(kernel="linear", cv=LeaveOneGroupOut()).fit(
        X, Y, groups=groups
    )
    np.testing.assert_allclose(found.estimator.loo_scores_, expected.loo_scores_)
    assert found.estimator.cv is None
    with pytest.raises(Complaint, match="--groups: SimplexSVC leaves no groups out"):
        learn(Columns("f.csv", FEATURES, X, Y, None, groups), "kind", SimplexSVC(), False)


def test_warnings_are_notes(capsys):
    learn(
        Columns("f.csv", FEATURES, X, Y),
        "kind",
        SimplexRidgeClassifier(kernel="linear", alphas=[1e3, 1e4]),
        False,
    )
    assert capsys.readouterr().err.startswith("note: The best value lies at the edge")


@pytest.mark.parametrize(
    ("model", "names"),
    [
        (SimplexRidgeClassifier(kernel="linear"), {"kernel", "alpha", "lambda", "left_out_score"}),
        (SimplexSVC(C=[0.1, 1.0]), {"kernel", "gamma", "C", "lambda", "left_out_score"}),
        (
            SimplexSGDClassifier(alpha=[0.1, 0.01], random_state=0),
            {"alpha", "lambda", "left_out_score"},
        ),
        (
            SimplexBoostingClassifier(
                "exponential", "gradient", 5, early_stopping=True, random_state=0
            ),
            {"n_estimators", "left_out_score"},
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_estimator_tells_its_choice_and_the_score_of_it(model, names):
    found = choice(model.fit(X, Y))
    assert names <= set(found)
    assert 0.5 < found["left_out_score"] <= 1


def test_the_score_is_that_of_the_best():
    model = SimplexSVC(C=[1e-4, 1.0]).fit(X, Y)
    assert left_out(model) == {"left_out_score": model.path_.score.max()}
    assert left_out(SimplexSVC(C=1.0).fit(X, Y)) == {}


def test_a_choice_by_log_loss_is_not_told_as_a_score():
    model = SimplexRidgeClassifier("rbf", calibration="vector").fit(X, Y)
    assert left_out(model) == {"left_out_log_loss": -model.best_score_}
    assert left_out_words(left_out(model)) == [f"left-out log-loss {-model.best_score_:.4f}"]
    # About the log-loss of folds that the model never saw.
    folds = cross_val_score(clone(model), X, Y, scoring="neg_log_loss", cv=5)
    assert -model.best_score_ == pytest.approx(-folds.mean(), abs=0.1)
    by_hits = clone(model).set_params(scoring="accuracy").fit(X, Y)
    assert left_out(by_hits) == {"left_out_score": by_hits.best_score_}


def test_boosted_trees_tell_the_log_loss_that_chose_their_rounds():
    model = SimplexBoostingClassifier(n_estimators=40, random_state=0).fit(X, Y)
    assert left_out(model) == {"left_out_log_loss": model.validation_score_.min()}
    # About the log-loss of folds that the classifier itself never saw.
    folds = cross_val_score(clone(model), X, Y, scoring="neg_log_loss", cv=5)
    assert left_out(model)["left_out_log_loss"] == pytest.approx(-folds.mean(), abs=0.1)
    assert left_out(model.set_params(early_stopping=False).fit(X, Y)) == {}
