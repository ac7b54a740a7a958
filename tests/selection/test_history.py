import numpy as np
import pytest

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.design import Moments
from simplexcoding.rows import Rows, Training
from simplexcoding.selection.history import row_numbers

rng = np.random.default_rng(0)
X, y = rng.normal(size=(60, 3)), rng.integers(3, size=60)


def batch(rows, labels):
    classes, index = np.unique(labels, return_inverse=True)
    return Training(Rows(rows, index, len(classes)), classes)


def watched(monkeypatch):
    """Sizes of the rows that moments are taken of from now on."""
    seen = []
    of = Moments.of.__func__
    monkeypatch.setattr(
        Moments, "of", classmethod(lambda cls, A, *rest: seen.append(len(A)) or of(cls, A, *rest))
    )
    return seen


def test_moments_are_updated_not_made_again(monkeypatch):
    history = SimplexRidgeClassifier(kernel="linear").fit(X, y)._history
    seen = watched(monkeypatch)
    longer = history.joined(batch(X[:4], y[:4]))
    assert longer.problem.moments.total == 64 and len(longer.training.rows) == 64
    shorter = history.without(np.array([0, 7, 9]))
    assert shorter.problem.moments.total == 57
    assert seen == [4, 3]


def test_moments_are_made_again_where_the_difference_cancels():
    wild = X.copy()
    wild[5] *= 1e6
    with pytest.warns(UserWarning, match="One row of X dwarfs all others"):
        history = SimplexRidgeClassifier(kernel="linear").fit(wild, y)._history
    assert history.without(np.array([6])).problem.moments is not None
    assert history.without(np.array([5])).problem.moments is None


def test_a_landmark_cannot_be_forgotten():
    weights = np.ones(60)
    weights[:3] = 0
    model = SimplexRidgeClassifier("rbf", landmarks=5).fit(X, y, weights)
    landmark = model.landmark_indices_[2]
    with pytest.raises(ValueError, match=f"row {landmark}, a landmark: its values are part"):
        model.forget([landmark])


def test_row_numbers_are_numbers_or_a_mask():
    assert row_numbers([3, 1, 3], 5).tolist() == [1, 3]
    assert row_numbers(2, 5).tolist() == [2]
    assert row_numbers([], 5).tolist() == []
    assert row_numbers(np.arange(5) > 2, 5).tolist() == [3, 4]
    for wrong, words in [
        ([5], "holds 5, outside 0..4"),
        ([-1], "holds -1"),
        ([0.5], "row numbers"),
        (np.zeros((5, 2)), r"got an array of float64 of shape \(5, 2\)"),
    ]:
        with pytest.raises(ValueError, match=words):
            row_numbers(wrong, 5)
