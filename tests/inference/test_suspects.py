import numpy as np
import pytest
from scipy.special import softmax

from simplexcoding.inference.profiles import audit_probabilities
from simplexcoding.inference.suspects import estimate_errors, rank_suspects


def noisy(n_rows=600, n_classes=3, rate=0.1, sharp=4.0, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(n_classes, size=n_rows)
    S = rng.normal(size=(n_rows, n_classes)) + sharp * np.eye(n_classes)[truth]
    given = truth.copy()
    wrong = rng.random(n_rows) < rate
    given[wrong] = (truth[wrong] + 1) % n_classes
    return S - S.mean(axis=1, keepdims=True), truth, given


S, truth, y = noisy()


def test_every_row_appears_once_with_its_own_facts():
    found = rank_suspects(S, y)
    P = audit_probabilities(S, y)
    assert np.array_equal(np.sort(found.row), np.arange(len(y)))
    assert np.array_equal(found.given, y[found.row])
    assert np.array_equal(found.suggested, P[found.row].argmax(axis=1))
    assert np.allclose(found.given_probability, P[found.row, found.given])
    assert np.allclose(found.suggested_probability, P[found.row].max(axis=1))
    assert np.allclose(found.score, -np.log(P[found.row, found.given]))


def test_contradicted_rows_come_first_each_part_by_its_score():
    found = rank_suspects(S, y)
    contradicted = found.given != found.suggested
    k = found.n_contradicted
    assert 0 < k < len(found) == len(y)
    assert contradicted[:k].all() and not contradicted[k:].any()
    for part in (found.score[:k], found.score[k:]):
        assert (np.diff(part) <= 0).all()


def test_flipped_labels_lead_and_are_counted():
    found = rank_suspects(S, y)
    n_wrong = np.count_nonzero(y != truth)
    first = found.row[:n_wrong]
    assert np.mean(y[first] != truth[first]) > 0.95
    assert np.mean(found.suggested[:n_wrong] == truth[first]) > 0.95
    assert found.n_errors == pytest.approx(n_wrong, rel=0.15)
    pairs = np.array([[np.sum((y == a) & (truth == b)) for b in range(3)] for a in range(3)])
    np.fill_diagonal(pairs, 0)
    assert np.allclose(found.errors, pairs, atol=0.15 * n_wrong)
    assert (np.diag(found.errors) == 0).all()


def test_clean_labels_are_not_accused():
    clean, labels, _ = noisy(rate=0, sharp=6.0)
    assert rank_suspects(clean, labels).n_errors < 0.01 * len(labels)


def test_given_probabilities_decide():
    P = softmax(np.random.default_rng(1).normal(size=S.shape), axis=1)
    found = rank_suspects(S, y, P)
    assert np.allclose(found.given_probability, P[found.row, found.given])
    assert np.array_equal(found.errors, estimate_errors(P, y))


def slow_errors(P, labels):
    """The confident joint, row by row."""
    T = P.shape[1]
    means = [P[labels == k, k].mean() for k in range(T)]
    joint = np.zeros((T, T))
    for p, a in zip(P, labels, strict=True):
        able = [k for k in range(T) if p[k] >= means[k]]
        if able:
            joint[a, max(able, key=lambda k: p[k])] += 1
    for a in range(T):
        joint[a] *= np.sum(labels == a) / joint[a].sum()
    return joint - np.diag(np.diag(joint))


def test_errors_are_those_of_the_row_by_row_count():
    P = softmax(2 * S, axis=1)
    assert np.allclose(estimate_errors(P, y), slow_errors(P, y))


def test_a_class_without_rows_has_no_errors():
    P = softmax(np.column_stack([2 * S, np.zeros(len(S))]), axis=1)
    errors = estimate_errors(P, y)
    assert errors.shape == (4, 4)
    assert not errors[3].any() and not errors[:, 3].any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": y[:-1]}, "left_out must have a row for each of the 599 labels"),
        ({"left_out": S[:, :1]}, "column for each class, two at least"),
        ({"left_out": S + np.inf}, "left_out must be finite"),
        ({"probabilities": S[:, :2]}, r"probabilities must have the shape of left_out, \(600, 3\)"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        rank_suspects(**({"left_out": S, "y": y} | change))
