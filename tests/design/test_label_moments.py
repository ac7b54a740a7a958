from functools import reduce
from operator import add

import numpy as np
import pytest

from simplexcoding.design import LabelMoments, Moments
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
words = rng.choice(["ant", "bee", "cat", "dragonfly"], 40)


def close(a, b):
    names = ("total", "mean", "scatter", "class_totals", "class_sums")
    return all(np.allclose(getattr(a, n), getattr(b, n), rtol=1e-12, atol=1e-12) for n in names)


def test_labels_come_as_they_please():
    order = np.argsort(words, kind="stable")
    parts = [LabelMoments.of(X[rows], words[rows]) for rows in np.array_split(order, 7)]
    assert all(len(part.labels) <= 2 for part in parts)
    whole = reduce(add, [LabelMoments.of(X[:0], np.array([])), *parts])
    labels, y = np.unique(words, return_inverse=True)
    assert whole.labels.tolist() == labels.tolist()
    assert close(whole.moments, Moments.of(X, Rows.labelled(y, 4)))


def test_a_label_goes_with_its_last_row():
    whole = LabelMoments.of(X, words)
    left = whole - LabelMoments.of(X[words == "bee"], words[words == "bee"])
    fresh = LabelMoments.of(X[words != "bee"], words[words != "bee"])
    assert left.labels.tolist() == fresh.labels.tolist()
    assert close(left.moments, fresh.moments)


def test_many_classes_cost_nothing_where_they_do_not_appear():
    labels = rng.permutation(21_000)
    one = LabelMoments.of(np.ones((10, 2)), labels[:10])
    assert one.moments.class_sums.shape == (10, 2)
    parts = (LabelMoments.of(np.ones((700, 2)), part) for part in labels.reshape(-1, 700))
    assert np.array_equal(reduce(add, parts).labels, np.arange(21_000))


def test_labels_that_cannot_be():
    numbers = LabelMoments.of(X, np.arange(40))
    with pytest.raises(ValueError, match="labels of two kinds"):
        LabelMoments.of(X, words) + numbers
    with pytest.raises(ValueError, match="'elk', a label that no row has"):
        LabelMoments.of(X, words) - LabelMoments.of(X[:1], np.array(["elk"]))
