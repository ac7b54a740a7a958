"""The ways of others: pickle, joblib and skops, in memory and on disk."""

import pickle

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])[Y]
MODELS = [
    SimplexRidgeClassifier("linear"),
    SimplexRidgeClassifier("rbf", calibration="vector"),
    SimplexRidgeClassifier("linear", calibration="pooled"),
    SimplexRidgeClassifier("rbf", landmarks=20),
    SimplexSVC(C=[0.1, 1.0]),
    SimplexSVC(kernel="linear"),
    SimplexSGDClassifier(alpha=0.1, random_state=0),
    SimplexBoostingClassifier(n_estimators=5),
    make_pipeline(StandardScaler(), SimplexRidgeClassifier("rbf")),
]


def with_pickle(model, path):
    return pickle.loads(pickle.dumps(model))


def with_joblib(model, path):
    joblib.dump(model, path, compress=3)
    return joblib.load(path)


def with_skops(model, path):
    io = pytest.importorskip("skops.io")
    io.dump(model, path)
    unknown = io.get_untrusted_types(file=path)
    assert all(name.startswith("simplexcoding.") for name in unknown), unknown
    return io.load(path, trusted=unknown)


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("way", [with_pickle, with_joblib, with_skops])
def test_models_go_there_and_back(way, model, tmp_path):
    model.fit(X, NAMES)
    found = way(model, tmp_path / "model")
    np.testing.assert_array_equal(found.predict(X), model.predict(X))
    np.testing.assert_array_equal(found.decision_function(X), model.decision_function(X))
    if hasattr(model, "predict_proba"):
        np.testing.assert_array_equal(found.predict_proba(X), model.predict_proba(X))
