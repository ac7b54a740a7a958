import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, issparse

from simplexcoding.rows import Rows, Training, hold_out, row_weights


def some_rows(n=11, n_classes=3, weighted=True, sparse=False, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4))
    y = rng.integers(0, n_classes, n)
    weights = rng.uniform(0.5, 2.0, n) if weighted else None
    return Rows(csr_matrix(X) if sparse else X, y, n_classes, weights)


def dense(X):
    return X.toarray() if issparse(X) else X


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_what_leaves_and_what_stays_join_to_the_whole(sparse, weighted):
    rows = some_rows(sparse=sparse, weighted=weighted)
    gone = np.array([0, 3, 10])
    staying = rows.others(gone)
    order = np.argsort(np.concatenate([np.flatnonzero(staying), gone]))
    joined = rows.without(gone).join(rows.take(gone)).take(order)
    np.testing.assert_array_equal(dense(joined.X), dense(rows.X))
    np.testing.assert_array_equal(joined.y, rows.y)
    np.testing.assert_array_equal(joined.counts, rows.counts)
    assert (joined.weights is None) == (not weighted)


def test_joining_rows_without_weights_gives_them_one():
    joined = some_rows(weighted=True).join(some_rows(weighted=False))
    np.testing.assert_array_equal(joined.counts[11:], 1.0)


def test_taking_pairwise_rows_takes_their_columns_too():
    K = np.arange(16.0).reshape(4, 4)
    rows = Rows(K, np.array([0, 1, 0, 1]), 2, pairwise=True)
    chosen = np.array([3, 1])
    np.testing.assert_array_equal(rows.take(chosen).X, K[np.ix_(chosen, chosen)])
    np.testing.assert_array_equal(rows.basis(chosen), chosen)
    np.testing.assert_array_equal(rows.take(slice(1, 3)).X, K[1:3, 1:3])


@given(n=st.integers(1, 40), size=st.integers(1, 50))
def test_blocks_cover_every_row_once_and_in_order(n, size):
    rows = some_rows(n)
    parts = list(rows.blocks(size))
    assert [len(part) for _, part in parts] == [s.stop - s.start for s, _ in parts]
    np.testing.assert_array_equal(np.concatenate([part.y for _, part in parts]), rows.y)
    assert max(len(part) for _, part in parts) <= size


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_over_classes_are_products_with_the_one_hot_targets(sparse, weighted):
    rows = some_rows(sparse=sparse, weighted=weighted)
    weighted_targets = rows.one_hot() * rows.counts[:, None]
    np.testing.assert_allclose(rows.class_sums(rows.X), weighted_targets.T @ dense(rows.X))
    np.testing.assert_allclose(rows.class_totals, weighted_targets.sum(axis=0))
    np.testing.assert_allclose(rows.total, rows.counts.sum())
    np.testing.assert_allclose(rows.roots**2, rows.counts)


def test_relabelled_rows_have_the_new_names():
    rows = some_rows().relabelled(np.array([4, 0, 2]), 5)
    np.testing.assert_array_equal(rows.y, np.array([4, 0, 2])[some_rows().y])
    assert rows.class_totals.shape == (5,)


@given(
    counts=st.lists(st.integers(1, 30), min_size=1, max_size=6),
    fraction=st.floats(0.05, 0.95),
    seed=st.integers(0, 100),
)
def test_each_class_gives_its_share_and_keeps_a_row(counts, fraction, seed):
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    learn, held = hold_out(y, fraction, np.random.default_rng(seed))
    np.testing.assert_array_equal(np.sort(np.concatenate([learn, held])), np.arange(len(y)))
    given_ = np.bincount(y[held], minlength=len(counts))
    for gone, count in zip(given_, counts, strict=True):
        assert gone <= count - 1
        assert abs(gone - min(fraction * count, count - 1)) <= 1


def test_rows_held_out_are_those_of_the_draw():
    rows = some_rows(40)
    learn, held = rows.hold_out(0.25, np.random.default_rng(3))
    numbers = hold_out(rows.y, 0.25, np.random.default_rng(3))
    np.testing.assert_array_equal(learn.X, rows.X[numbers[0]])
    np.testing.assert_array_equal(held.counts, rows.counts[numbers[1]])


def test_class_sums_of_single_precision_are_taken_in_double():
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(20000, 2)) + 1e4).astype(np.float32)
    rows = Rows.labelled(np.zeros(20000, dtype=int), 1)
    exact = X.astype(np.float64).sum(axis=0)
    assert np.abs(rows.class_sums(X)[0] / exact - 1).max() < 1e-14


def test_bare_rows_have_labels_and_weights_alone():
    rows = some_rows()
    bare = rows.bare.take(np.array([4, 1]))
    assert bare.X.shape == (2, 0) and bare.y.tolist() == rows.y[[4, 1]].tolist()
    assert bare.weights.tolist() == rows.weights[[4, 1]].tolist()


def test_training_rows_keep_the_numbering_of_the_caller():
    kept = np.array([True, False, True, True])
    training = Training(some_rows(3, 2), np.array(["a", "b"]), kept, np.zeros((1, 4)))
    assert training.numbers.tolist() == [0, 2, 3] and training.size == 4
    assert training.places(np.array([0, 1, 3])).tolist() == [0, 2]
    assert training.spread(np.array([1.0, 2, 3]), np.array([9.0])).tolist() == [1, 9, 2, 3]
    assert training.among(np.array([True, False, True])).tolist() == [True, False, False, True]
    assert training.among(None) is kept
    whole = Training(some_rows(3, 2), np.array(["a", "b"]))
    assert whole.among(None) is None and whole.numbers.tolist() == [0, 1, 2]


def test_classes_come_and_go_with_their_rows():
    X = np.arange(4.0)[:, None]
    first = Training(Rows(X[:2], np.array([1, 0]), 2), np.array(["a", "d"]))
    later = Training(Rows(X[2:], np.array([1, 0]), 2), np.array(["b", "d"]))
    both = first.joined(later)
    assert both.classes.tolist() == ["a", "b", "d"]
    assert both.labels.tolist() == ["d", "a", "d", "b"]
    fewer = both.without(np.array([True, False, True, True]))
    assert fewer.classes.tolist() == ["b", "d"] and fewer.labels.tolist() == ["d", "d", "b"]


def test_rows_without_weights_count_as_one():
    given = np.array([2.0, 0.5])
    assert row_weights(given, 2) is given
    assert np.array_equal(row_weights(None, 3), np.ones(3))
