import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

from reference.wrapped import pipeline, search
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.fitted import model_and_rows
from simplexcoding.inference import prediction_sets

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize(
    "wrap", [lambda m: m, pipeline, search], ids=["model", "pipeline", "search"]
)
@pytest.mark.parametrize("options", [{"coverage": 0.99}, {"class_conditional": True}, {}])
def test_sets_are_those_of_the_model_inside(wrap, options):
    fitted = wrap(SimplexRidgeClassifier("rbf")).fit(X[::2], y[::2])
    model, rows = model_and_rows(fitted, X[1::2], "predict_set")
    assert np.array_equal(
        prediction_sets(fitted, X[1::2], **options), model.predict_set(rows, **options)
    )


def test_a_model_without_sets_is_named():
    with pytest.raises(ValueError, match="LogisticRegression has no predict_set: use a model"):
        prediction_sets(LogisticRegression(max_iter=1000).fit(X, y), X)
