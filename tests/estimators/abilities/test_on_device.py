"""As scikit-learn tests its own: what is fitted elsewhere equals what is fitted on the host."""

import pickle
from contextlib import contextmanager

import array_api_strict
import matplotlib.pyplot as plt
import numpy as np
import pytest
from onnxruntime import InferenceSession
from sklearn import config_context
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifierCV
from sklearn.pipeline import Pipeline

from simplexcoding import SimplexRidgeClassifier, audit_labels, persistence
from simplexcoding.export import to_onnx
from simplexcoding.plots import ReliabilityDisplay, SetSizeDisplay

X, y = (part[:800] for part in load_digits(return_X_y=True))
X = X + np.random.default_rng(0).normal(0, 0.5, X.shape)
MODELS = [
    SimplexRidgeClassifier("linear"),
    SimplexRidgeClassifier("linear", fit_intercept=False, cv=3),
    SimplexRidgeClassifier("linear", scoring="neg_log_loss"),
    SimplexRidgeClassifier("rbf", landmarks=50),
    SimplexRidgeClassifier("exponential", landmarks=50, calibration="vector"),
    SimplexRidgeClassifier("poly", landmarks=30, class_weight="balanced"),
    SimplexRidgeClassifier("rbf", gamma=[0.001, 0.0001], scaling="standard", landmarks=30),
    SimplexRidgeClassifier(landmarks=40),
]


class Place:
    """An array namespace and one of its devices."""

    def __init__(self, xp, device=None):
        self.xp, self.device = xp, device

    def asarray(self, values):
        return self.xp.asarray(values, device=self.device)


def place(name):
    if name == "torch":
        return Place(pytest.importorskip("torch", reason="torch is not installed"))
    # As a device that NumPy does not see: what is not brought there meets an error.
    device = array_api_strict.Device("device1") if name == "device1" else None
    return Place(array_api_strict, device)


def on_host(values):
    if isinstance(values, array_api_strict._array_object.Array):
        values = values.to_device(array_api_strict.Device("CPU_DEVICE"))
    return np.asarray(values)


@pytest.fixture(params=["array_api_strict", "device1", "torch"])
def xp(request, dispatch_allowed):
    found = place(request.param)
    with config_context(array_api_dispatch=True):
        yield found


@contextmanager
def no_dispatch():
    with config_context(array_api_dispatch=False):
        yield


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize(("dtype", "tolerance"), [("float64", 1e-10), ("float32", 1e-4)])
@pytest.mark.parametrize("n_classes", [2, 10])
@pytest.mark.parametrize("weighted", [False, True])
def test_it_answers_as_on_the_host(xp, model, dtype, tolerance, n_classes, weighted):
    kept = y < n_classes
    rows, labels = X[kept].astype(dtype), y[kept]
    weights = np.random.default_rng(1).integers(0, 3, len(labels)) if weighted else None
    with no_dispatch():
        model.fit(rows, labels, weights)
        expected = model.decision_function(rows), model.predict_proba(rows), model.predict(rows)
        alpha, left_out = model.alpha_, model.loo_scores_
    there = xp.asarray(rows)
    model.fit(there, xp.asarray(labels), weights)
    found = model.decision_function(there), model.predict_proba(there), model.predict(there)
    assert all(type(values) is type(there) for values in found)
    assert found[0].dtype == there.dtype
    size = max(1.0, np.abs(expected[0]).max())
    for one, other in zip(found, expected, strict=True):
        assert one.device == there.device
        assert np.abs(on_host(one) - other).max() <= tolerance * size
    assert model.alpha_ == pytest.approx(alpha, rel=1e-6)
    assert np.abs(on_host(model.loo_scores_) - left_out).max() <= tolerance * size
    assert model.loo_scores_.dtype == there.dtype
    names = {"coef_"} if model.kernel_ == "linear" else {"dual_coef_", "X_fit_"}
    for name in names | {"intercept_", "loo_scores_", "left_out_scores_", "classes_"}:
        attribute = getattr(model, name)
        assert type(attribute) is type(there) and attribute.device == there.device
    assert float(model.score(there, xp.asarray(labels))) == pytest.approx(
        np.mean(expected[2] == labels), abs=1e-6
    )


@pytest.mark.parametrize("kind", ["there", "other device", "host", "words"])
def test_its_attributes_live_where_those_of_scikit_learn_do(xp, kind):
    there = xp.asarray(X)
    labels = {
        "there": xp.asarray(y),
        "other device": xp.xp.asarray(y),
        "host": y,
        "words": np.array([f"digit {label}" for label in y]),
    }[kind]
    model = SimplexRidgeClassifier("rbf", landmarks=30).fit(there, labels)
    peer = RidgeClassifierCV(store_cv_results=True).fit(there, labels)
    for ours, theirs in [
        (model.classes_, peer.classes_),
        (model.loo_scores_, peer.cv_results_),
        (model.left_out_scores_, peer.cv_results_),
        (model.landmark_indices_, peer.coef_),
        (model.dual_coef_, peer.coef_),
        (model.intercept_, peer.intercept_),
        (model.predict(there), peer.predict(there)),
    ]:
        assert type(ours) is type(theirs)
        assert getattr(ours, "device", None) == getattr(theirs, "device", None)
    assert np.array_equal(on_host(model.classes_), on_host(peer.classes_))
    assert float(model.score(there, labels)) > 0.9
    copied = pickle.loads(pickle.dumps(model))
    for name in ("classes_", "loo_scores_", "landmark_indices_"):
        assert type(getattr(copied, name)) is type(getattr(model, name))
        assert np.array_equal(on_host(getattr(copied, name)), on_host(getattr(model, name)))
    # Nothing of it stays when the same model is fitted to rows of the host.
    model.fit(X, y)
    for name in ("classes_", "loo_scores_", "landmark_indices_"):
        assert type(getattr(model, name)) is np.ndarray


def test_audits_and_displays_take_tensors(xp):
    wrong = y.copy()
    wrong[[10, 20]] = (wrong[[10, 20]] + 1) % 10
    there, labels = xp.asarray(X), xp.asarray(wrong)
    model = SimplexRidgeClassifier("rbf", landmarks=200).fit(there, labels)
    with no_dispatch():
        host = SimplexRidgeClassifier("rbf", landmarks=200).fit(X, wrong)
        expected = audit_labels(host, wrong)
    found = audit_labels(model, labels)
    assert np.array_equal(found.row[:20], expected.row[:20]) and {10, 20} <= set(found.row[:5])
    assert {10, 20} <= set(audit_labels(there, labels).row[:5])
    for draw in (
        lambda model, rows, given: ReliabilityDisplay.from_left_out(model, given),
        ReliabilityDisplay.from_estimator,
        SetSizeDisplay.from_estimator,
    ):
        ours, theirs = draw(model, there, labels), draw(host, X, wrong)
        name = "accuracy" if hasattr(ours, "accuracy") else "size"
        assert np.allclose(getattr(ours, name), getattr(theirs, name))
        for display in (ours, theirs):
            plt.close(display.figure_)


def test_words_as_labels_and_sets_of_classes(xp):
    words = np.array([f"digit {label}" for label in y])
    there = xp.asarray(X)
    model = SimplexRidgeClassifier("linear").fit(there, words)
    assert isinstance(model.predict(there), np.ndarray)
    sets = model.predict_set(there, coverage=0.99)
    assert type(sets) is type(there) and sets.shape == (800, 10)
    assert model.predict_proba(X).shape == (800, 10)  # Rows of the host are brought there.


def test_what_tensors_cannot_have_is_said_before_any_work(xp):
    there = xp.asarray(X)
    with pytest.raises(ValueError, match="kernel='laplacian' is not computed on tensors"):
        SimplexRidgeClassifier("laplacian", landmarks=10).fit(there, y)
    with pytest.raises(ValueError, match="landmarks=None keeps the whole kernel"):
        SimplexRidgeClassifier("rbf", landmarks=None).fit(there, y)
    with no_dispatch():
        host = SimplexRidgeClassifier("linear").fit(X, y)
    assert not hasattr(host.function_, "home")
    model = SimplexRidgeClassifier("linear").fit(there, y)
    assert model._history is None
    with pytest.raises(ValueError, match=r"fitted to tensors.* holds no training rows"):
        model.forget([0])
    with pytest.raises(ValueError, match="X has 5 features"):
        model.predict(there[:, :5])


@pytest.mark.parametrize("model", [MODELS[0], MODELS[3], MODELS[7]], ids=str)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_halves_are_taken(dispatch_allowed, model, dtype):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    with config_context(array_api_dispatch=True):
        rows = torch.asarray(X).to(getattr(torch, dtype))
        model.fit(rows, torch.asarray(y))
        assert model.intercept_.dtype == torch.float32
        found = model.decision_function(rows), model.predict_proba(rows), model.predict(rows)
        assert all(isinstance(values, torch.Tensor) for values in found)
        assert model.predict_set(rows).dtype == torch.bool
        chosen = model.kernel_, model.alpha_
    # The halves are exact in single precision: it is the model of those values.
    wide = rows.to(torch.float32).numpy()
    with no_dispatch():
        model.fit(wide, y)
        expected = model.decision_function(wide), model.predict_proba(wide), model.predict(wide)
    assert chosen == (model.kernel_, pytest.approx(model.alpha_, rel=1e-4))
    for one, other in zip(found, expected, strict=True):
        assert np.allclose(one.numpy(), other, atol=1e-3)


def test_a_model_of_tensors_is_saved_exported_and_copied(xp, tmp_path):
    there = xp.asarray(X)
    for model in (SimplexRidgeClassifier("linear"), SimplexRidgeClassifier("rbf", landmarks=30)):
        model.fit(there, xp.asarray(y))
        expected = on_host(model.predict_proba(there))
        copied = pickle.loads(pickle.dumps(model))
        assert np.array_equal(on_host(copied.predict_proba(there)), expected)
        persistence.save(model, tmp_path / "digits.model")
        loaded = persistence.load(tmp_path / "digits.model")
        assert type(loaded.intercept_) is np.ndarray
        assert np.abs(loaded.predict_proba(X) - expected).max() < 1e-10
        session = InferenceSession(to_onnx(model).SerializeToString())
        (exported,) = session.run(["probabilities"], {"X": X.astype(np.float32)})
        assert np.abs(exported - expected).max() < 1e-4
        in_pipeline = to_onnx(Pipeline([("head", model)]))
        session = InferenceSession(in_pipeline.SerializeToString())
        (answers,) = session.run(["label"], {"X": X.astype(np.float32)})
        assert np.array_equal(answers, expected.argmax(axis=1))
