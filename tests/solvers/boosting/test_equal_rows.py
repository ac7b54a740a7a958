"""Equal rows as one: against a dictionary of rows, and against fits that keep them apart."""

from collections import defaultdict

import numpy as np
import pytest

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.estimators import boosting
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting import BinnedRows, equal_rows
from simplexcoding.solvers.boosting.equal_rows import merged


def few_kinds(n=600, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(4, size=(n, 3)).astype(float)
    X[rng.random(n) < 0.1, 2] = np.nan
    y = ((X[:, 0] + X[:, 1] + rng.integers(2, size=n)) % 3).astype(np.intp)
    return X, y, rng.exponential(size=n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("collide", [False, True])
def test_kinds_are_those_of_a_dictionary(weighted, collide, monkeypatch):
    X, y, w = few_kinds()
    if collide:
        # Rows of one key are told apart by their bins, at worst kept apart.
        monkeypatch.setattr(equal_rows, "seeded_row_keys", lambda codes, _: np.zeros(len(codes)))
    binned = BinnedRows.from_data(X)
    rows, fewer = merged(Rows(X, y, 3, w if weighted else None), binned)
    expected = defaultdict(list)
    for i in range(len(y)):
        expected[(*binned.codes[:, i].tolist(), int(y[i]))].append(i)
    found = defaultdict(lambda: np.zeros(2))
    for i in range(len(rows)):
        kind = (*fewer.codes[:, i].tolist(), int(rows.y[i]))
        assert collide or kind not in found
        assert np.array_equal(rows.X[i], X[expected[kind][0]], equal_nan=True) or collide
        found[kind] += rows.weights[i], fewer.repeats[i]
    assert set(found) == set(expected)
    for kind, same in expected.items():
        total = w[same].sum() if weighted else len(same)
        assert found[kind] == pytest.approx([total, len(same)])


def test_rows_that_differ_stay_as_they_are():
    X = np.arange(20.0)[:, None]
    rows = Rows(X, np.arange(20) % 2, 2)
    binned = BinnedRows.from_data(X)
    assert merged(rows, binned) == (rows, binned)


def test_equal_rows_of_two_labels_are_two_kinds():
    rows, fewer = merged(Rows(np.zeros((4, 1)), np.array([0, 1, 1, 1]), 2), BINS)
    assert rows.y.tolist() == [0, 1] and fewer.repeats.tolist() == [1, 3]


BINS = BinnedRows.from_data(np.zeros((4, 1)))


@pytest.mark.parametrize("n", [600, 2400])
@pytest.mark.parametrize("least", [1, 25])
def test_a_fit_is_that_of_rows_kept_apart(n, least, monkeypatch):
    X, y, w = few_kinds(n)
    model = SimplexBoostingClassifier(n_estimators=20, min_samples_leaf=least, random_state=0)
    together = model.fit(X, y, w).decision_function(X)
    risks, measures = model.train_score_, model.validation_score_
    monkeypatch.setattr(boosting, "merged", lambda *rows: rows)
    assert np.allclose(model.fit(X, y, w).decision_function(X), together, atol=1e-4)
    assert np.allclose(model.train_score_, risks, rtol=1e-5)
    assert np.allclose(model.validation_score_, measures, rtol=1e-5)
