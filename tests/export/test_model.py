import subprocess
import sys

import numpy as np
import pytest
from onnxruntime import InferenceSession
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.tree import DecisionTreeRegressor

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)
from simplexcoding.export import to_onnx

DIGITS = load_digits(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
MODELS = [
    SimplexRidgeClassifier(),
    *(SimplexRidgeClassifier(kernel) for kernel in ("linear", "rbf", "exponential", "laplacian")),
    SimplexRidgeClassifier("rbf", scaling="standard"),
    SimplexRidgeClassifier("rbf", landmarks=60),
    SimplexRidgeClassifier("rbf", calibration="vector"),
    SimplexRidgeClassifier("linear", calibration="pooled"),
    SimplexRidgeClassifier("rbf", calibration="none"),
    SimplexSVC(kernel="rbf"),
    SimplexSVC(kernel="linear"),
    SimplexSVC(C=1.0, calibration="vector"),
    SimplexSVC(C=1.0, landmarks=60),
    *(SimplexSGDClassifier(loss, random_state=0) for loss in ("logistic", "least_squares", "cone")),
    SimplexBoostingClassifier(n_estimators=20),
    SimplexBoostingClassifier(n_estimators=20, method="coordinate"),
]


def outputs(made, X):
    session = InferenceSession(made.SerializeToString())
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {"X": X.astype(np.float32)}), strict=True))


def assert_same(model, made, X):
    """Labels are the model's, and scores and probabilities its to 1e-4."""
    found = outputs(made, X)
    assert np.array_equal(found["label"], model.predict(X))
    if hasattr(model, "predict_proba"):
        assert found["probabilities"].dtype == np.float32
        assert np.abs(found["probabilities"] - model.predict_proba(X)).max() < 1e-4
    if "scores" in found:
        decision = model.decision_function(X)
        scores = found["scores"][:, 1] if decision.ndim == 1 else found["scores"]
        assert np.abs(scores - decision).max() < 1e-4
    return found


@pytest.mark.filterwarnings("ignore:max_iter:sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("data", [DIGITS, CANCER], ids=["many classes", "two classes"])
def test_the_runtime_answers_as_the_model(model, data):
    X, y = data[0].astype(np.float32).astype(float), data[1]
    made = to_onnx(model.fit(X[:500:2], y[:500:2]))
    assert_same(model, made, X[1::2])
    assert_same(model, made, X[:1])  # The number of rows is free.


def test_labels_of_other_types():
    X, y = (part[:300] for part in DIGITS)
    names = np.array(["nought", "one", "two", "three"])
    few = y < 4
    model = SimplexRidgeClassifier("rbf").fit(X[few], names[y[few]])
    found = assert_same(model, to_onnx(model), X[few])
    assert set(found["label"]) == set(names)
    model.fit(X, y > 4)
    found = outputs(to_onnx(model), X)
    assert np.array_equal(found["label"], model.predict(X).astype(int))
    model.fit(X, 2.0 * y)
    found = outputs(to_onnx(model), X)
    assert np.array_equal(found["label"], model.predict(X))


def test_probabilities_are_absent_where_the_estimator_has_none():
    model = SimplexSVC(kernel="rbf").fit(*CANCER)
    named = {output.name for output in to_onnx(model).graph.output}
    assert ("probabilities" in named) == hasattr(model, "predict_proba")
    assert named >= {"label", "scores"}


def test_the_package_loads_without_onnx_and_says_what_is_missing():
    code = (
        "import sys; sys.modules['onnx'] = None; import simplexcoding.export as export\n"
        "try: export.to_onnx(None)\nexcept ImportError as error: print(error)\n"
        "try: export.register_converters()\nexcept ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == 2 * ["export needs more: pip install 'simplexcoding[onnx]'"]


def test_boosting_of_regressors_from_elsewhere_is_refused():
    model = SimplexBoostingClassifier(
        method="gradient", estimator=DecisionTreeRegressor(max_depth=2), n_estimators=3
    )
    with pytest.raises(TypeError, match="fit with trees"):
        to_onnx(model.fit(*CANCER))
