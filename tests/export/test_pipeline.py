import numpy as np
import pytest
import skl2onnx
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from export.test_model import assert_same, outputs
from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)
from simplexcoding.export import register_converters, to_onnx

X, y = load_wine(return_X_y=True)
X = X.astype(np.float32).astype(float)


@pytest.mark.filterwarnings("ignore:max_iter:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    "model",
    [
        SimplexRidgeClassifier("linear"),
        SimplexRidgeClassifier("rbf"),
        SimplexRidgeClassifier("laplacian", landmarks=30),
        SimplexSVC(kernel="rbf"),
        SimplexSGDClassifier(random_state=0),
        SimplexBoostingClassifier(n_estimators=10),
    ],
    ids=str,
)
@pytest.mark.parametrize("labels", [y, np.array(["red", "white", "rosé"])[y], y == 1])
def test_a_pipeline_answers_as_in_scikit_learn(model, labels):
    pipeline = make_pipeline(StandardScaler(), PCA(6), model).fit(X, labels)
    assert_same(pipeline, to_onnx(pipeline), X)


def test_the_best_pipeline_of_a_search():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), SimplexRidgeClassifier("rbf")),
        {"simplexridgeclassifier__fit_intercept": [True, False]},
        cv=2,
    ).fit(X, y)
    assert_same(search, to_onnx(search.best_estimator_), X)


def test_registration_serves_those_who_call_skl2onnx_themselves():
    register_converters()
    model = SimplexRidgeClassifier("rbf").fit(X, y)
    made = skl2onnx.to_onnx(model, X[:1].astype(np.float32), options={"zipmap": False})
    found = outputs(made, X)
    assert np.array_equal(found["label"], model.predict(X))
