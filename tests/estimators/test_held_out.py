import numpy as np
import pytest

from simplexcoding import SimplexBoostingClassifier
from simplexcoding.estimators.held_out import held_out_split


def rows(y, weights=None):
    X = np.arange(len(y))[:, None].astype(float)
    return SimplexBoostingClassifier()._training_set(X, np.asarray(y), weights)


def test_the_parts_share_no_row_and_keep_the_classes_shares():
    train, watch = held_out_split(rows(np.repeat([0, 1, 2], [50, 30, 20])), 0.1, seed=0)
    both = np.concatenate([train.X[:, 0], watch.X[:, 0]])
    assert sorted(both) == list(range(100))
    assert np.bincount(watch.y).tolist() == [5, 3, 2]
    again = held_out_split(rows(np.repeat([0, 1, 2], [50, 30, 20])), 0.1, seed=0)[1]
    assert np.array_equal(again.X, watch.X)


def test_rows_of_weight_zero_are_in_neither_part():
    weights = np.tile([1.0, 0.0, 2.0], 10)
    train, watch = held_out_split(rows(np.arange(30) % 2, weights), 0.2, seed=1)
    assert len(train.y) + len(watch.y) == 20
    assert np.all(train.weights > 0) and np.all(watch.weights > 0)
    everything, none = held_out_split(rows(np.arange(30) % 2, weights), 0.0, seed=1)
    assert none is None
    assert len(everything.y) == 20


def test_a_class_with_one_row_is_no_obstacle():
    train, watch = held_out_split(rows([0, 0, 0, 0, 1]), 0.2, seed=0)
    assert len(train.y) == 4 and len(watch.y) == 1


def test_one_row_is():
    both = rows([0, 1])
    with pytest.raises(ValueError, match="has no row to hold out of 1"):
        held_out_split(both._replace(X=both.X[:1], y=both.y[:1]), 0.1, seed=0)
