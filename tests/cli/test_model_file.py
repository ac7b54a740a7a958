import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from simplexcoding import SimplexRidgeClassifier, persistence
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import StoredModel, load_model, save_model

X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("scaled", [False, True])
def test_columns_and_scaling_are_part_of_the_file(tmp_path, scaled):
    model = SimplexRidgeClassifier("rbf")
    model = (make_pipeline(StandardScaler(), model) if scaled else model).fit(X, Y)
    save_model(tmp_path / "m", StoredModel(model, list("abcd"), "kind"))
    found = load_model(tmp_path / "m")
    assert (found.features, found.target) == (list("abcd"), "kind")
    np.testing.assert_array_equal(found.model.predict_proba(X), model.predict_proba(X))
    assert type(found.estimator) is SimplexRidgeClassifier


@pytest.mark.parametrize(
    ("notes", "text"),
    [
        ({}, "names no columns"),
        ({"features": list("abcd"), "target": 3}, "names no columns"),
        ({"features": ["a", 1], "target": "y"}, "names no columns"),
        ({"features": ["a"], "target": "y"}, "names 1 columns, not those of its model"),
    ],
)
def test_a_model_saved_without_columns_says_how_to_make_one(tmp_path, notes, text):
    persistence.save(SimplexRidgeClassifier().fit(X, Y), tmp_path / "m", notes)
    with pytest.raises(Complaint, match=f"m: {text}"):
        load_model(tmp_path / "m")
