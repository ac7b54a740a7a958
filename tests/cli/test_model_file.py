import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from simplexcoding import SimplexRidgeClassifier, persistence
from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.model_file import StoredModel, load_model, save_model

X, Y = load_iris(return_X_y=True)
COLUMNS = [("a", 1), ("b", 3)]


@pytest.mark.parametrize("scaled", [False, True])
def test_columns_and_scaling_are_part_of_the_file(tmp_path, scaled):
    model = SimplexRidgeClassifier("rbf")
    model = (make_pipeline(StandardScaler(), model) if scaled else model).fit(X, Y)
    save_model(tmp_path / "m", StoredModel(model, COLUMNS, "kind"))
    found = load_model(tmp_path / "m")
    assert (found.features, found.target) == (COLUMNS, "kind")
    np.testing.assert_array_equal(found.model.predict_proba(X), model.predict_proba(X))
    assert type(found.estimator) is SimplexRidgeClassifier


@pytest.mark.parametrize(
    ("notes", "text"),
    [
        ({}, "names no columns"),
        ({"columns": [["a", 4]], "target": 3}, "names no columns"),
        ({"columns": [["a", 1], 3], "target": "y"}, "names no columns"),
        ({"columns": [["a", 0]], "target": "y"}, "names no columns"),
        ({"columns": ["a", "b"], "target": "y"}, "names no columns"),
        ({"columns": [["a", 1]], "target": "y"}, "names 1 columns, not those of its model"),
    ],
)
def test_a_model_saved_without_columns_says_how_to_make_one(tmp_path, notes, text):
    persistence.save(SimplexRidgeClassifier(kernel="linear").fit(X, Y), tmp_path / "m", notes)
    with pytest.raises(Complaint, match=f"m: {text}"):
        load_model(tmp_path / "m")


def test_what_cannot_be_stored_is_a_complaint(tmp_path):
    with pytest.raises(Complaint, match="m: the model cannot be stored: is a SimplexRidge"):
        save_model(
            tmp_path / "m", StoredModel(SimplexRidgeClassifier(kernel="linear"), COLUMNS, "kind")
        )
