import numpy as np
import pytest

from simplexcoding.solvers.boosting.forest import Forest, Tree


def trees(count, seed=0):
    rng = np.random.default_rng(seed)
    return [
        Tree(rng.integers(3, size=3), rng.normal(size=3), rng.random(3), rng.normal(size=(4, 2)))
        for _ in range(count)
    ]


def answers(forest, X):
    F = np.zeros((len(X), 2))
    forest.add(X, F)
    return F


def test_stages_end_where_the_whole_forest_does():
    X = np.random.default_rng(1).normal(size=(20, 3))
    t = trees(5)
    forest = Forest.of([t[:2], t[2:3], t[3:]])
    stages = [F.copy() for F in forest.staged(X, np.zeros((20, 2)))]
    assert len(forest) == len(stages) == 3
    assert np.array_equal(stages[0], answers(Forest.of([t[:2]]), X))
    assert np.array_equal(stages[-1], answers(forest, X))


def test_forests_add_up_to_one_with_all_rounds():
    X = np.random.default_rng(1).normal(size=(20, 3))
    t = trees(4)
    whole, parts = (
        Forest.of([t[:1], t[1:3], t[3:]]),
        [Forest.of([t[:1], t[1:3]]), Forest.of([t[3:]])],
    )
    joined = parts[0] + parts[1]
    assert joined.ends.tolist() == whole.ends.tolist()
    assert np.array_equal(answers(joined, X), answers(whole, X))
    empty = Forest.of([])
    assert len(empty) == 0
    assert empty + whole is whole and whole + empty is whole
    assert not answers(empty, X).any()


def test_importances_share_each_fall_by_gains():
    ones = np.ones((4, 2))
    a = Tree(np.array([0, 1, 1]), np.zeros(3), np.array([3.0, 1.0, 0.0]), ones)
    b = Tree(np.array([2, 2, 0]), np.zeros(3), np.array([1.0, 0.5, 0.5]), ones)
    forest = Forest.of([[a], [b]])
    assert forest.importances(np.array([4.0, 4.0]), 4) == pytest.approx([0.5, 0.125, 0.375, 0])
    both = Forest.of([[a, b]])
    assert both.importances(np.array([7.0]), 4) == pytest.approx([3.5 / 6, 1 / 6, 1.5 / 6, 0])
    still = Tree(a.features, a.thresholds, np.zeros(3), ones)
    assert Forest.of([[still]]).importances(np.array([1.0]), 4).tolist() == [0] * 4
