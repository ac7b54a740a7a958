"""Rows that come in turn: `partial_fit` of `SimplexSGDClassifier`."""

import re

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris

from reference.stochastic import objective, optimum
from simplexcoding import SimplexSGDClassifier
from simplexcoding.solvers.stochastic.labels import with_classes
from simplexcoding.solvers.stochastic.learning import function

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])


def shuffled(seed=0):
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order], y[order]


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_matrix])
@pytest.mark.parametrize("known", [None, [0, 1, 2]])
def test_partial_fit_does_not_depend_on_the_cuts(kind, known):
    rows, labels = shuffled()
    rows = kind(rows)
    whole = SimplexSGDClassifier(alpha=1e-3).partial_fit(rows, labels, known)
    for size in (1, 7):
        cut = SimplexSGDClassifier(alpha=1e-3)
        for i in range(0, 150, size):
            cut.partial_fit(rows[i : i + size], labels[i : i + size], known)
        assert np.allclose(cut.coef_, whole.coef_, rtol=0, atol=1e-10)
        assert np.allclose(cut.intercept_, whole.intercept_, rtol=0, atol=1e-10)
        assert cut.t_ == whole.t_ == 150 and cut.n_iter_ == 1


def test_new_labels_come_without_forgetting():
    model = SimplexSGDClassifier("logistic", alpha=1e-2)
    model.partial_fit(X[:100], NAMES[y[:100]])
    before = model.decision_function(X)
    assert before.ndim == 1 and model.classes_.tolist() == ["setosa", "versicolor"]
    # The moment itself: a new label is known and no row has been learnt from yet.
    stream, model.classes_ = with_classes(model._stream, model.classes_, ["another"])
    kept = model._keep_stream(stream, function(stream, model._descent()), 0.0)
    wide = np.column_stack([np.zeros(150), -before, before])
    assert np.allclose(kept.decision_function(X), wide, rtol=0, atol=1e-13)
    rows, labels = shuffled(1)
    for _ in range(200):
        model.partial_fit(rows, NAMES[labels])
    assert model.classes_.tolist() == ["another", *NAMES]
    # A class without rows is a class of the problem, and its optimum is where they all lead.
    best = optimum("logistic", X, y + 1, 1e-2)
    assert best * (1 - 1e-5) <= objective(model, X, y + 1) <= 1.1 * best


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"alpha": [1e-3, 1e-2]}, r"alpha=.* is a list.* give one alpha"),
        ({"class_weight": "balanced"}, "class_weight='balanced' needs all labels"),
    ],
)
def test_what_needs_all_rows_has_no_stream(options, reason):
    with pytest.raises(AttributeError) as caught:
        SimplexSGDClassifier(**options).partial_fit(X, y)
    assert re.search(reason, str(caught.value.__cause__))


def test_misuse_of_a_stream_is_named():
    with pytest.raises(ValueError, match=r"validation_fraction=0\.2 leaves no row"):
        SimplexSGDClassifier(early_stopping=True).fit(X[[0, 1, 60]], y[[0, 1, 60]])
    model = SimplexSGDClassifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features"):
        model.partial_fit(X[:, :3], y)
    with pytest.raises(ValueError, match=r"no longer finite.*scale the features"):
        model.partial_fit(1e200 * X, y)
    assert model.t_ == 150
    with pytest.raises(ValueError, match="whose square overflows float64: scale X down"):
        SimplexSGDClassifier().fit(1e200 * X, y)


def test_labels_of_another_kind_are_refused():
    model = SimplexSGDClassifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="strings or numbers"):
        model.partial_fit(X, NAMES[y])
    with pytest.raises(ValueError, match="strings or numbers"):
        model.set_params(warm_start=True).fit(X, NAMES[y])
    assert model.classes_.tolist() == [0, 1, 2]


def test_one_class_so_far():
    model = SimplexSGDClassifier().partial_fit(X[:5], y[:5])
    assert model.predict(X).tolist() == [0] * 150
    assert model.partial_fit(X, y).t_ == 155
