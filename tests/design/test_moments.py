from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, random

from simplexcoding.design import Moments, moments
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 4)) + 5
y = rng.integers(3, size=60)
w = rng.uniform(0.5, 2, 60)

NAMES = ("total", "mean", "scatter", "class_totals", "class_sums")


def close(a, b, tolerance=1e-9):
    return all(
        np.allclose(getattr(a, name), getattr(b, name), rtol=tolerance, atol=tolerance)
        for name in NAMES
    )


def plain(X, y, n_classes, w, centred=True):
    """The definition, in extended precision."""
    X, w = X.astype(np.longdouble), np.asarray(w, dtype=np.longdouble)
    mean = (w @ X) / w.sum() if centred else np.zeros(X.shape[1])
    Z = X - mean
    Y = np.eye(n_classes)[y] * w[:, None]
    return {"mean": mean, "scatter": (Z * w[:, None]).T @ Z, "class_sums": Y.T @ Z}


def worst(m, expected):
    """Largest error in units of the spread of the data."""
    spread = np.sqrt(np.diagonal(expected["scatter"]) / m.total)
    scatter = (m.scatter - expected["scatter"]) / np.outer(spread, spread) / m.total
    sums = (m.class_sums - expected["class_sums"]) / spread / m.total
    return float(max(np.abs(scatter).max(), np.abs(sums).max()))


@pytest.mark.parametrize("centred", [True, False])
def test_they_are_what_they_say(centred, monkeypatch):
    monkeypatch.setattr(moments, "BLOCK", 7)
    m = Moments.of(X, Rows.labelled(y, 3, w), centred)
    mean = np.average(X, axis=0, weights=w) if centred else np.zeros(4)
    Z = X - mean
    assert np.allclose(m.mean, mean)
    assert np.allclose(m.scatter, (Z * w[:, None]).T @ Z)
    assert np.allclose(m.class_sums, (np.eye(3)[y] * w[:, None]).T @ Z)
    assert close(m, Moments.of(csr_matrix(X), Rows.labelled(y, 3, w), centred))


@pytest.mark.parametrize("centred", [True, False])
def test_moments_add_and_subtract(centred):
    t = Rows.labelled(y, 3, w)
    whole = Moments.of(X, t, centred)
    head = Moments.of(X[:20], t.take(slice(0, 20)), centred)
    tail = Moments.of(X[20:], t.take(slice(20, 60)), centred)
    assert close(head + tail, whole)
    assert close(whole - tail, head)


@given(
    cuts=st.lists(st.integers(0, 60), max_size=12).map(sorted),
    order=st.randoms(use_true_random=False),
    centred=st.booleans(),
)
def test_any_cutting_and_order_gives_the_same_moments(cuts, order, centred):
    t = Rows.labelled(y, 3, w)
    edges = [0, *cuts, 60]
    slices = [slice(*edge) for edge in pairwise(edges)]
    order.shuffle(slices)
    parts = [Moments.of(X[rows], t.take(rows), centred) for rows in slices]
    merged = reduce(add, parts)
    assert close(merged, Moments.of(X, t, centred), 1e-12)
    assert not merged.cancelled


def test_no_rows_add_nothing():
    t = Rows.labelled(y, 3)
    none = Moments.of(X[:0], t.take(slice(0, 0)))
    whole = Moments.of(X, t)
    assert none.total == 0
    assert close(none, Moments.empty(4, 3))
    for merged in (none + whole, whole + none, whole - none, none + none + whole):
        assert close(merged, whole, 0)
    assert not (none + none).cancelled
    assert (whole - whole).total == 0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("pieces", [1, 50])
@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_a_mean_of_a_million_spreads_costs_no_digits(dtype, pieces, form):
    rng = np.random.default_rng(1)
    far = (rng.normal(size=(5000, 3)) + 1e6).astype(dtype)
    labels, weights = rng.integers(4, size=5000), rng.uniform(0.5, 2, 5000)
    t = Rows.labelled(labels, 4, weights)
    parts = np.array_split(np.arange(5000), pieces)
    m = reduce(add, (Moments.of(form(far[rows]), t.take(rows)) for rows in parts))
    assert worst(m, plain(far, labels, 4, weights)) < 1e-12


def test_sparse_columns_beside_one_far_from_zero_stay_exact():
    rng = np.random.default_rng(2)
    S = random(500, 6, 0.2, "csr", random_state=0).toarray()
    S[:, 2] = rng.normal(size=500) + 1e6
    S[:, 4] = 7 + rng.normal(size=500) * (rng.random(500) < 0.9)
    labels = rng.integers(3, size=500)
    m = Moments.of(csr_matrix(S), Rows.labelled(labels, 3))
    assert worst(m, plain(S, labels, 3, np.ones(500))) < 1e-13


def test_blocks_of_many_classes_touch_only_those_present(monkeypatch):
    monkeypatch.setattr(moments, "BLOCK", 8)
    labels = rng.integers(21_000, size=60)
    m = Moments.of(X, Rows.labelled(labels, 21_000))
    present, places = np.unique(labels, return_inverse=True)
    assert close(m.only_classes(present), Moments.of(X, Rows.labelled(places, len(present))), 0)
    assert np.count_nonzero(m.class_totals) == len(present)


@pytest.mark.parametrize("size", 10.0 ** np.arange(2, 11))
def test_subtracting_an_outlier_is_right_or_says_that_it_cancels(size):
    wild = X.copy()
    wild[0, 1] += size
    t = Rows.labelled(y, 3)
    rest = Moments.of(wild, t) - Moments.of(wild[:1], t.take(slice(0, 1)))
    fresh = Moments.of(wild[1:], t.take(slice(1, 60)))
    assert rest.cancelled == (size > 3e2)
    assert rest.cancelled or close(rest, fresh, 1e-11)


def test_subtracting_nearly_all_the_weight_says_that_it_cancels():
    heavy = w.copy()
    heavy[0] = 1e12
    t = Rows.labelled(y, 3, heavy)
    assert (Moments.of(X, t) - Moments.of(X[:1], t.take(slice(0, 1)))).cancelled


def test_adding_and_subtracting_in_turn_keeps_the_digits():
    far = X + 1e6
    t = Rows.labelled(y, 3, w)
    m = fresh = Moments.of(far, t)
    row = Moments.of(far[:1], t.take(slice(0, 1)))
    for _ in range(1000):
        m = m + row - row
    assert not m.cancelled
    assert worst(m, plain(far, y, 3, w)) < 1e-12
    assert np.abs((m.mean - fresh.mean) + (m.remainder - fresh.remainder)).max() < 1e-12


def test_a_constant_feature_is_no_cancellation():
    flat = np.column_stack([X, np.full(60, 0.1), np.zeros(60)])
    t = Rows.labelled(y, 3)
    m = Moments.of(flat, t)
    for k in range(10):
        rows = slice(k, k + 1)
        m = m - Moments.of(flat[rows], t.take(rows))
    assert not m.cancelled


@pytest.mark.parametrize("centred", [True, False])
def test_the_intercept_of_weights_is_that_of_rows_less_their_mean(centred):
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(3, 1, (20, 4)), np.arange(20) % 3, rng.normal(size=(4, 3))
    moments = Moments.of(X, Rows.labelled(y, 3), centred)
    expected = np.bincount(y) / 20 - X.mean(axis=0) @ weights if centred else np.zeros(3)
    assert np.allclose(moments.intercept(weights), expected)
    assert (moments.base is None) == (not centred)
