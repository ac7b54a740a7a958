import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, Normalizer, StandardScaler
from sklearn.svm import SVC

import simplexcoding
from simplexcoding.kernels import Kernel
from simplexcoding.persistence.models import MODELS, read_model, write_model
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Stored

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"], dtype=object)[Y]
Ridge, Svc = simplexcoding.SimplexRidgeClassifier, simplexcoding.SimplexSVC
Sgd, Boosting = simplexcoding.SimplexSGDClassifier, simplexcoding.SimplexBoostingClassifier

pytestmark = pytest.mark.filterwarnings("ignore:max_iter")  # raw lengths: slow online


def copied(model):
    out = Stored()
    code = write_model(model, out)
    return read_model(code, Stored(out.arrays, file_size=10**6))


def assert_same(found, model, rows=X):
    np.testing.assert_array_equal(found.predict(rows), model.predict(rows))
    np.testing.assert_array_equal(found.decision_function(rows), model.decision_function(rows))
    for name in ("predict_proba", "predict_set"):
        if hasattr(model, name):
            np.testing.assert_array_equal(getattr(found, name)(rows), getattr(model, name)(rows))


@pytest.mark.parametrize("labels", [NAMES, NAMES.astype(str), Y, Y > 0], ids=lambda y: str(y.dtype))
@pytest.mark.parametrize("kind", [Ridge, Svc, Sgd, Boosting])
def test_every_estimator_comes_back_whole(kind, labels):
    model = kind(random_state=0).fit(X, labels)
    found = copied(model)
    assert type(found) is type(model)
    assert str(found.get_params()) == str(model.get_params())
    assert vars(found).keys() == model.__getstate__().keys() - {"_sklearn_version"}
    assert_same(found, model)


@pytest.mark.parametrize(
    "model",
    [
        Ridge("rbf"),
        Ridge("rbf", landmarks=20, gamma=[0.1, 1.0]),
        Ridge("rbf", calibration="vector", cv=5),
        Ridge("poly", calibration="none", alphas=np.geomspace(1e-9, 1e3, 13)),
        Svc(C=[0.1, 1.0, 10.0]),
        Svc("half_space", kernel="linear", fit_intercept=True),
        Svc(C=1.0, calibration="vector"),
        Ridge("linear", calibration="pooled"),
        Svc(C=1.0, calibration="temperature", landmarks=20),
        Sgd(alpha=[0.1, 0.01], random_state=0, early_stopping=True),
        Boosting(method="coordinate", n_estimators=5, early_stopping=True, random_state=0),
        Boosting("logistic", leaves="vertex", n_estimators=5, max_depth=3, class_weight="balanced"),
        make_pipeline(StandardScaler(), Normalizer(), Ridge("rbf")),
    ],
    ids=repr,
)
def test_every_form_of_a_model_comes_back(model):
    assert_same(copied(model.fit(X, NAMES)), model)


def test_sparse_rows_weights_and_precomputed_kernels_come_back():
    weights = np.arange(150) % 3
    model = Ridge("rbf").fit(csr_array(X), Y, sample_weight=weights)
    assert_same(copied(model), model, csr_array(X))
    for kind in (Ridge, Svc):
        for landmarks in (None, 20):
            model = kind(kernel="precomputed", landmarks=landmarks)
            model.fit(X @ X.T, Y, sample_weight=weights)
            assert_same(copied(model), model, X @ X.T)


def test_float32_and_names_of_features_stay():
    frame = pytest.importorskip("pandas").DataFrame(X.astype(np.float32), columns=list("abcd"))
    model = Ridge("linear").fit(frame, Y)
    found = copied(model)
    assert found.coef_.dtype == np.float32 and found.feature_names_in_.tolist() == list("abcd")
    assert_same(found, model, frame)


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (SVC().fit(X, Y), "is a SVC; these can be stored: SimplexRidge"),
        (Ridge(), "SimplexRidgeClassifier that is not fitted"),
        (Ridge(Kernel("rbf").matrix).fit(X, Y), "kernel is a method, which no model file"),
        (Ridge(cv=KFold(3)).fit(X, Y), r"cv is a KFold, .*: set_params\(cv=None\)"),
        (make_pipeline(MinMaxScaler(), Ridge()).fit(X, Y), "is a MinMaxScaler; these"),
    ],
    ids=["svc", "unfitted", "function", "splitter", "scaler"],
)
def test_what_cannot_be_stored_is_named(model, text):
    with pytest.raises(Refusal, match=text):
        write_model(model, Stored())


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda c: c.update({"class": "Popen"}), "names 'Popen', which no model file may hold"),
        (lambda c: c.update({"class": ["SimplexSVC"]}), "names a list, which no"),
        (lambda c: c.pop("class"), "names None, which no"),
        (lambda c: c.pop("state"), "holds no model"),
        (lambda c: c.update(parameters=[]), "holds no model"),
        (lambda c: c["parameters"].pop("cv"), "other parameters than SimplexRidgeClassifier"),
        (lambda c: c["parameters"].update(more=1), "other parameters"),
        (lambda c: c["parameters"].update(cv={"x": 1}), "^cv is no parameter"),
        (lambda c: c["state"].pop("function_"), "has no function_"),
        (lambda c: c["state"].update(predict=1), "holds 'predict', which is not declared"),
        (lambda c: c["state"].update(n_features_in_=5), "weights has length 4 where p = 5"),
    ],
)
def test_a_changed_model_is_refused(change, text):
    out = Stored()
    code = write_model(Ridge("linear").fit(X, Y), out)
    change(code)
    with pytest.raises(Refusal, match=text):
        read_model(code, Stored(out.arrays, file_size=10**6))


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (None, "holds no steps"),
        ([], "holds no steps"),
        ([["a", 1]], "is no model"),
        ([["a", {"class": "Pipeline", "steps": []}]], "is no model"),
        ([["a"]], "holds no steps"),
    ],
)
def test_a_pipeline_has_steps_that_are_models(steps, text):
    with pytest.raises(Refusal, match=text):
        read_model({"class": "Pipeline", "steps": steps}, Stored())


def test_steps_go_together():
    out = Stored()
    code = write_model(make_pipeline(StandardScaler(), Ridge()).fit(X, Y), out)
    code["steps"].reverse()
    with pytest.raises(Refusal, match="do not go together"):
        read_model(code, Stored(out.arrays, file_size=10**6))


def test_the_list_names_this_package_and_two_scalers():
    for name, model in MODELS.items():
        assert model.place.startswith(("simplexcoding.", "sklearn.preprocessing:"))
        assert model.kind.__name__ == name
