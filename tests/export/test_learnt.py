import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)
from simplexcoding.export.learnt import learnt

X, y = load_iris(return_X_y=True)
MODELS = [
    SimplexRidgeClassifier("linear"),
    SimplexRidgeClassifier("rbf"),
    SimplexRidgeClassifier("rbf", landmarks=20),
    SimplexSVC(kernel="linear"),
    SimplexSVC(kernel="rbf"),
    SimplexSGDClassifier(random_state=0),
    SimplexBoostingClassifier(n_estimators=10),
    SimplexBoostingClassifier(n_estimators=10, method="coordinate"),
]


@pytest.mark.filterwarnings("ignore:max_iter:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_function_gives_the_scores_of_the_model(model, n_classes):
    kept = y < n_classes
    weights = np.arange(kept.sum()) % 3  # Rows of weight zero are no part of the function.
    model.fit(X[kept], y[kept], sample_weight=weights)
    parts = learnt(model)
    scores = parts.function.scores(X[kept])
    expected = model.decision_function(X[kept])
    assert scores.shape == (kept.sum(), n_classes)
    assert np.allclose(scores[:, 1] if n_classes == 2 else scores, expected, atol=1e-10)
    assert parts.n_features == 4 and parts.classes is model.classes_


def test_an_estimator_that_is_not_fitted_says_so():
    with pytest.raises(NotFittedError):
        learnt(SimplexRidgeClassifier(kernel="linear"))
