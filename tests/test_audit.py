import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from reference.wrapped import pipeline, search
from simplexcoding import SimplexRidgeClassifier, audit_labels
from simplexcoding.fitted import final_model
from simplexcoding.inference.profiles import audit_probabilities

X, digits = load_digits(return_X_y=True)
X, digits = X[:500], digits[:500]
NAMES = np.array(["nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
rng = np.random.default_rng(0)
FLIPPED = rng.choice(500, 25, replace=False)
wrong = digits.copy()
wrong[FLIPPED] = (wrong[FLIPPED] + rng.integers(1, 10, size=25)) % 10
y = NAMES[wrong]


@pytest.fixture(scope="module")
def audit():
    return audit_labels(X, y)


def test_flipped_labels_lead_and_the_true_one_is_suggested(audit):
    first = audit.row[:25]
    assert len(np.intersect1d(first, FLIPPED)) >= 23
    assert np.array_equal(audit.given, y[audit.row])
    caught = np.isin(audit.row, FLIPPED) & (np.arange(500) < 25)
    assert np.mean(audit.suggested[caught] == NAMES[digits[audit.row[caught]]]) > 0.9
    assert audit.n_errors == pytest.approx(25, abs=8)


def test_a_fitted_model_gives_its_own_left_out_scores(audit):
    model = SimplexRidgeClassifier("rbf", scoring="neg_mean_squared_error", landmarks=1000)
    own = audit_labels(model.fit(X, y), y)
    index = np.searchsorted(model.classes_, y)
    expected = audit_probabilities(model.loo_scores_, index)[np.arange(500), index]
    assert np.allclose(own.given_probability, expected[own.row])
    assert len(np.intersect1d(own.row[:25], audit.row[:25])) >= 20


@pytest.mark.parametrize("wrap", [pipeline, search])
def test_a_model_behind_a_scaler_is_found(wrap):
    fitted = wrap(SimplexRidgeClassifier("rbf")).fit(X, y)
    inner = final_model(fitted, "loo_scores_")
    assert np.array_equal(audit_labels(fitted, y).row, audit_labels(inner, y).row)
    peer = LogisticRegression(max_iter=2000).fit(X, y)
    with pytest.raises(ValueError, match="LogisticRegression has no left_out_scores_: use a model"):
        audit_labels(peer, y)


def test_options_reach_the_model(audit):
    linear = audit_labels(X, y, kernel="linear", alphas=1.0)
    assert not np.array_equal(linear.row, audit.row)


def test_rows_are_seen_by_a_smoother_model_too():
    found = audit_labels(X, wrong, kernel="linear")
    model = SimplexRidgeClassifier(kernel="linear", scoring="neg_mean_squared_error").fit(X, wrong)
    smoother = SimplexRidgeClassifier(kernel="linear", alphas=1000 * model.alpha_).fit(X, wrong)
    both = [audit_probabilities(one.loo_scores_, wrong) for one in (model, smoother)]
    expected = np.mean(both, axis=0)[np.arange(500), wrong]
    assert np.allclose(found.given_probability, expected[found.row])


def test_pairs_list_the_errors_from_the_largest(audit):
    pairs = audit.pairs()
    counts = [count for _, _, count in pairs]
    assert counts == sorted(counts, reverse=True) and counts[-1] > 0
    assert sum(counts) == pytest.approx(audit.n_errors)
    given, true, count = pairs[0]
    place = audit.classes.tolist().index
    assert audit.errors[place(given), place(true)] == count


def test_frame_and_text_show_the_first_rows(audit):
    frame = audit.to_frame()
    assert len(frame) == 500
    assert frame["row"].tolist() == audit.row.tolist()
    text = str(audit)
    assert text.startswith(f"500 labels: {audit.n_contradicted} contradicted, about ")
    assert len(text.splitlines()) == 13
    assert audit.given[0] in text.splitlines()[3]
    assert audit._repr_html_().count("<tr>") == 11


def test_html_is_escaped():
    labels = np.where(digits < 5, "<b>", "&")
    assert "<b>" not in audit_labels(X, labels)._repr_html_()


def test_pandas_is_asked_for_by_name(audit, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_frame needs pandas; install it: pip install pandas"):
        audit.to_frame()


def test_bad_input_is_named():
    model = SimplexRidgeClassifier(kernel="linear", alphas=1.0).fit(X, y)
    with pytest.raises(ValueError, match="y must hold the 500 labels"):
        audit_labels(model, y[:-1])
    with pytest.raises(ValueError, match="'ten', which it has not seen"):
        audit_labels(model, np.where(y == "one", "ten", y))
    with pytest.raises(ValueError, match="kernel cannot be set on a fitted model"):
        audit_labels(model, y, kernel="rbf")
