import numpy as np

from simplexcoding.solvers.boosting.grown_tree import GrownTree


def test_a_stump_has_its_rows_side_by_side():
    on_right = np.array([True, False, False, True, False])
    splits = GrownTree.of_stump(2, 0.5, 1.0, False, on_right)
    assert splits.members.tolist() == [1, 2, 4, 0, 3]
    assert splits.leaf.tolist() == [1, 0, 0, 1, 0]
    assert (splits.begins.tolist(), splits.ends.tolist()) == ([0, 3], [3, 5])
    F = np.zeros((2, 1))
    splits.tree(np.array([[1.0], [2.0]])).add(np.array([[9.0, 9.0, 0.5], [9.0, 9.0, 0.6]]), F)
    assert F.ravel().tolist() == [1.0, 2.0]


def test_nothing_is_one_leaf():
    splits = GrownTree.nothing(3)
    assert splits.whole and splits.leaf.tolist() == [0, 0, 0]
