from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from simplexcoding.passes.sample import Sampler

rng = np.random.default_rng(0)
# Copies among the rows: 200 rows of 60 distinct.
X = rng.normal(size=(60, 3))[rng.integers(60, size=200)]
y = rng.choice(["a", "b"], 200)
w = rng.choice([1.0, 2.0], 200)


def same(a, b):
    return (
        np.array_equal(a.keys, b.keys)
        and np.array_equal(a.counts, b.counts)
        and np.array_equal(np.asarray(a.X), np.asarray(b.X))
        and np.array_equal(a.labels, b.labels)
        and np.array_equal(a.weights, b.weights)
        and a.limit == b.limit
    )


@given(
    cuts=st.lists(st.integers(0, 200), max_size=8).map(sorted),
    seed=st.integers(0, 99),
    size=st.sampled_from([5, 40, 1000]),
)
def test_neither_cutting_nor_order_matters(cuts, seed, size):
    sampler = Sampler(size, 3)
    whole = sampler.of(X, y, w)
    order = np.random.default_rng(seed).permutation(200)
    edges = [0, *cuts, 200]
    parts = [order[a:b] for a, b in pairwise(edges)]
    assert same(reduce(add, (sampler.of(X[part], y[part], w[part]) for part in parts)), whole)
    assert len(whole) == min(size, len(np.unique(np.column_stack([X, y == "a", w]), axis=0)))
    assert whole.whole == (size == 1000)


def test_counts_are_those_of_the_rows():
    sample = Sampler(20, 0).of(X, y, None)
    for row, label, count in zip(sample.X, sample.labels, sample.counts, strict=True):
        assert count == np.sum((row == X).all(axis=1) & (label == y))


def test_every_distinct_row_is_as_likely_as_any_other():
    rows = np.arange(20.0)[:, None]
    labels = np.zeros(20)
    seen = [Sampler(5, seed).of(rows, labels, None).X[:, 0] for seed in range(2000)]
    counts = np.bincount(np.concatenate(seen).astype(int), minlength=20)
    # Each count is binomial(2000, 1/4): four deviations are 77.
    assert np.abs(counts - 500).max() < 77


def test_sparse_rows_give_the_sample_of_dense_ones():
    dense, sparse = Sampler(10, 0).of(X, y, w), Sampler(10, 0).of(csr_matrix(X), y, w)
    other = sparse + Sampler(10, 0).of(csr_matrix(X[:0]), y[:0], w[:0])
    assert np.array_equal(dense.X, other.X.toarray())
    assert np.array_equal(dense.keys, other.keys)


def test_a_known_number_of_rows_spares_what_would_not_be_kept():
    many = rng.normal(size=(4000, 2))
    labels = np.zeros(4000)
    plain = Sampler(50, 0).of(many, labels, None)
    spared = Sampler(50, 0, 4000)
    parts = [spared.of(many[k : k + 400], labels[k : k + 400], None) for k in range(0, 4000, 400)]
    assert max(len(part) for part in parts) < 50
    assert same(reduce(add, parts), plain)


def test_rows_that_leave_and_come_keep_the_sample_fair():
    sampler = Sampler(20, 0)
    whole = sampler.of(X, y, None)
    left = whole - sampler.of(X[:100], y[:100], None)
    fresh = sampler.of(X[100:], y[100:], None)
    held = np.isin(fresh.keys, left.keys)
    assert np.array_equal(fresh.keys[held], left.keys)
    assert np.array_equal(fresh.counts[held], left.counts)
    # A row beyond the old limit was not counted before: it must not come in now.
    assert (left + sampler.of(X[:100], y[:100], None)).keys.tolist() == whole.keys.tolist()
