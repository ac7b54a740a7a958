import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from reference.wrapped import pipeline, search
from simplexcoding import SimplexRidgeClassifier, SimplexSVC
from simplexcoding.fitted import final_model, model_and_rows

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("wrap", [pipeline, search])
def test_the_model_is_found_and_sees_transformed_rows(wrap):
    fitted = wrap(SimplexRidgeClassifier(kernel="linear")).fit(X, y)
    model, rows = model_and_rows(fitted, X, "loo_scores_")
    assert type(model) is SimplexRidgeClassifier
    assert np.array_equal(model.decision_function(rows), fitted.decision_function(X))
    assert np.allclose(rows, StandardScaler().fit_transform(X))
    assert final_model(fitted, "loo_scores_") is model


def test_a_model_alone_sees_its_rows_as_they_are():
    model = SimplexRidgeClassifier(kernel="linear").fit(X, y)
    assert model_and_rows(model, X, "path_") == (model, X)
    alone = Pipeline([("model", model)])
    assert model_and_rows(alone, X, "path_") == (model, X)


def test_pipelines_in_pipelines_are_opened():
    inner = make_pipeline(StandardScaler(), SimplexRidgeClassifier(kernel="linear"))
    fitted = make_pipeline(StandardScaler(), inner).fit(X, y)
    model, rows = model_and_rows(fitted, X, "loo_scores_")
    assert np.array_equal(model.decision_function(rows), fitted.decision_function(X))


def test_what_is_missing_is_named():
    with pytest.raises(ValueError, match="SimplexRidgeClassifier has no path_ yet: call fit first"):
        final_model(pipeline(SimplexRidgeClassifier(kernel="linear")), "path_")
    peer = LogisticRegression(max_iter=1000).fit(X, y)
    with pytest.raises(ValueError, match="LogisticRegression has no path_: use a model that"):
        final_model(peer, "path_")
    machine = SimplexSVC(kernel="linear", C=1.0).fit(X, y)
    with pytest.raises(ValueError, match='fit it with calibration="temperature", or use a model'):
        final_model(machine, "left_out_scores_")
    with pytest.raises(ValueError, match="SimplexSVC has no candidates_: use a model that"):
        final_model(machine, "candidates_")
    grid = GridSearchCV(SimplexRidgeClassifier(kernel="linear"), {"alphas": [1.0]}, refit=False)
    with pytest.raises(ValueError, match="no best_estimator_: call fit, with refit=True"):
        final_model(grid.fit(X, y), "path_")
