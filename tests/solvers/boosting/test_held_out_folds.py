import numpy as np
import pytest

from simplexcoding.solvers.boosting.held_out_folds import held_out_folds, seeded_row_keys


def data(n=300, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 3)), rng.integers(3, size=n), rng.integers(1, 4, size=n)


def test_every_class_gives_its_share_to_every_fold():
    X, y, _ = data()
    folds = held_out_folds(X, y, np.ones(300), 5, seed=0)
    for k in range(3):
        counts = np.bincount(folds[y == k], minlength=5)
        assert counts.max() - counts.min() <= 1


def test_weights_are_repeated_rows_and_order_plays_no_part():
    X, y, w = data()
    folds = held_out_folds(X, y, w.astype(float), 5, seed=3)
    repeated = held_out_folds(X.repeat(w, axis=0), y.repeat(w), np.ones(w.sum()), 5, seed=3)
    assert np.array_equal(folds.repeat(w), repeated)
    mixed = np.random.default_rng(1).permutation(300)
    assert np.array_equal(
        held_out_folds(X[mixed], y[mixed], w[mixed].astype(float), 5, seed=3), folds[mixed]
    )


def test_the_seed_and_only_the_numbers_decide():
    X, y, _ = data()
    ones = np.ones(300)
    folds = held_out_folds(X, y, ones, 4, seed=0)
    assert not np.array_equal(folds, held_out_folds(X, y, ones, 4, seed=1))
    whole = np.round(4 * X)
    assert np.array_equal(
        held_out_folds(whole, y, ones, 4, 0),
        held_out_folds(whole.astype(np.float32), y, ones, 4, 0),
    )


@pytest.mark.parametrize("n_folds", [2, 5, 10])
def test_something_of_each_class_is_left_to_learn_from_in_every_fold(n_folds):
    rng = np.random.default_rng(0)
    for n in (3, 4, 6, 11):
        X = rng.integers(3, size=(n, 1)).astype(float)
        y = rng.integers(2, size=n)
        folds = held_out_folds(X, y, rng.exponential(size=n), n_folds, seed=n)
        for fold in range(n_folds):
            assert set(y[folds != fold]) == set(y)


def test_equal_rows_of_a_class_are_never_held_out():
    folds = held_out_folds(np.zeros((6, 2)), np.repeat([0, 1], 3), np.ones(6), 5, seed=0)
    assert np.all(folds == -1)


def test_keys_tell_rows_apart_by_value_alone():
    X = np.array([[0.0, 1.0], [-0.0, 1.0], [1.0, 0.0], [np.nan, 1.0], [-np.nan, 1.0]])
    keys = seeded_row_keys(X, 0)
    assert keys[0] == keys[1] and keys[3] == keys[4]
    assert len(set(keys.tolist())) == 3
    many = seeded_row_keys(np.arange(20_000.0)[:, None], 7)
    assert len(np.unique(many)) == 20_000
    # Evenly scattered: a sixteenth in each of the upper four bits' values.
    counts = np.bincount((many >> np.uint64(60)).astype(int), minlength=16)
    assert abs(counts - 1250).max() < 5 * np.sqrt(1250)
