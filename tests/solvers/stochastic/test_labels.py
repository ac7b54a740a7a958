import numpy as np
import pytest

from simplexcoding import SimplexSGDClassifier
from simplexcoding.losses import get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.stochastic.labels import check_labels_alike, learn, with_classes
from simplexcoding.solvers.stochastic.learning import Descent, advance
from simplexcoding.solvers.stochastic.stream import Stream

DESCENT = Descent(get_loss("cone"), average=False)


def test_labels_stay_sorted_and_columns_follow_them():
    stream = Stream.start(2, 2, 0.1)
    stream.U[0] = [[1.0, -1.0], [2.0, -2.0]]
    stream, classes = with_classes(stream, np.array(["b", "d"]), ["long", "a", "c", "d"])
    assert classes.tolist() == ["a", "b", "c", "d", "long"]
    assert stream.U[0].tolist() == [[0, 1, 0, -1, 0], [0, 2, 0, -2, 0]]


def test_strings_and_numbers_do_not_mix():
    check_labels_alike(np.array([1, 2]), np.array([2.5]), [])
    check_labels_alike(np.array(["a"]), np.array(["b"], dtype=object))
    with pytest.raises(ValueError, match="strings or numbers"):
        check_labels_alike(np.array([1, 2]), np.array(["1"]))


def test_a_label_enters_at_its_first_row():
    """By hand: two classes for four rows, then a third."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(7, 3)), np.array([5, 9, 9, 5, 7, 5, 7])
    stream, classes = learn(Stream.start(3, 0, 0.1), np.array([], dtype=int), X, y, None, DESCENT)
    assert classes.tolist() == [5, 7, 9]
    by_hand = advance(
        Stream.start(3, 1, 0.1), Rows(X[:1], np.array([0]), 1), DESCENT, np.arange(1)
    ).widen(1)
    by_hand = advance(by_hand, Rows(X[1:4], np.array([1, 1, 0]), 2), DESCENT, np.arange(3)).widen(1)
    by_hand = advance(by_hand, Rows(X[4:], np.array([1, 0, 1]), 3), DESCENT, np.arange(3))
    assert np.array_equal(stream.U, by_hand.U) and stream.t == 7


@pytest.mark.parametrize("classes", [[], 3, [0.0, np.nan], [[0, 1]]], ids=str)
def test_classes_that_are_no_labels_are_named(classes):
    with pytest.raises(ValueError, match="classes must be a list of labels, got"):
        SimplexSGDClassifier().partial_fit(np.eye(3), np.arange(3), classes=classes)
