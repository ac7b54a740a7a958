import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.estimators.classifier import TrainingSet
from simplexcoding.estimators.training_rows import join, leave, row_numbers

X = np.arange(8.0).reshape(4, 2)
rows = TrainingSet(X, np.array([0, 1, 1, 0]), np.array(["b", "d"]), None, None)


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
def test_new_rows_bring_their_labels(kind):
    joined = join(rows._replace(X=kind(X)), kind(X[:2]), np.array(["c", "b"]), None)
    assert joined.classes.tolist() == ["b", "c", "d"]
    assert joined.classes[joined.y].tolist() == ["b", "d", "d", "b", "c", "b"]
    assert joined.X.shape == (6, 2) and joined.weights is None


def test_weights_are_one_where_none_were_given():
    joined = join(rows, X[:1], np.array(["b"]), np.array([3.0]))
    assert joined.weights.tolist() == [1, 1, 1, 1, 3]


def test_a_class_leaves_with_its_last_row():
    weighted = rows._replace(weights=np.arange(1.0, 5))
    left = leave(weighted, np.array([True, False, False, True]))
    assert left.classes.tolist() == ["b"] and left.y.tolist() == [0, 0]
    assert left.weights.tolist() == [1, 4]


def test_row_numbers_are_checked():
    assert row_numbers([3, 1, 1], 5).tolist() == [1, 3]
    assert row_numbers(np.array([True, False, True]), 3).tolist() == [0, 2]
    assert row_numbers([], 3).tolist() == []
    for wrong, words in (([5], "holds 5, outside 0..4"), ([-1], "holds -1"), ([0.5], "row num")):
        with pytest.raises(ValueError, match=words):
            row_numbers(wrong, 5)
