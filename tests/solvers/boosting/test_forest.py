from dataclasses import replace

import numpy as np
import pytest

from simplexcoding.solvers.boosting.forest import Forest, Tree


def trees(count, seed=0):
    rng = np.random.default_rng(seed)
    return [
        Tree.in_order(
            rng.integers(3, size=3), rng.normal(size=3), rng.random(3), rng.normal(size=(4, 2))
        )
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
    a = Tree.in_order(np.array([0, 1, 1]), np.zeros(3), np.array([3.0, 1.0, 0.0]), ones)
    b = Tree.in_order(np.array([2, 2, 0]), np.zeros(3), np.array([1.0, 0.5, 0.5]), ones)
    forest = Forest.of([[a], [b]])
    assert forest.importances(np.array([4.0, 4.0]), 4) == pytest.approx([0.5, 0.125, 0.375, 0])
    both = Forest.of([[a, b]])
    assert both.importances(np.array([7.0]), 4) == pytest.approx([3.5 / 6, 1 / 6, 1.5 / 6, 0])
    still = Tree.in_order(a.features, a.thresholds, np.zeros(3), ones)
    assert Forest.of([[still]]).importances(np.array([1.0]), 4).tolist() == [0] * 4
    assert forest.importances(np.zeros(2), 4).tolist() == [0] * 4


def test_the_first_rounds_are_a_forest():
    X = np.random.default_rng(1).normal(size=(20, 3))
    t = trees(4)
    forest = Forest.of([t[:1], t[1:3], t[3:]])
    assert np.array_equal(answers(forest.first(2), X), answers(Forest.of([t[:1], t[1:3]]), X))
    assert len(forest.first(0)) == 0


def test_sets_move_along_when_forests_are_joined():
    def with_set(bits, seed):
        tree = trees(1, seed)[0]
        sets = np.array([[bits, 0, 0, 0]], dtype=np.int64)
        return replace(tree, sets=sets, set_of=np.array([0, -1, 0]))

    X = np.random.default_rng(1).integers(5, size=(20, 3)).astype(float)
    a, b = with_set(0b10110, 0), with_set(0b01001, 1)
    joined = Forest.of([[a]]) + Forest.of([[b]])
    assert np.array_equal(answers(joined, X), answers(Forest.of([[a], [b]]), X))
    separate = answers(Forest.of([[a]]), X) + answers(Forest.of([[b]]), X)
    assert np.allclose(answers(joined, X), separate)


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("features", lambda a: np.where(a == a.max(), 3, a)),
        ("features", lambda a: np.where(a == a.max(), -1, a)),
        ("features", lambda a: a[:, :2]),
        ("features", lambda a: a.astype(np.float64)),
        ("thresholds", lambda a: a[1:]),
        ("gains", lambda a: a.ravel()),
        ("values", lambda a: a[:, :3]),
        ("values", lambda a: a[:, :, :1]),
        ("values", lambda a: a.astype(np.int64)),
        ("coordinates", lambda a: a + 3),
        ("coordinates", lambda a: a[:1]),
        ("ends", lambda a: a + 1),
        ("ends", lambda a: a[::-1]),
        ("missing_left", lambda a: a.astype(np.uint8)),
        ("set_of", lambda a: a + 1),
        ("sets", lambda a: np.zeros((1, 3), dtype=np.int64)),
    ],
)
def test_damaged_arrays_never_reach_compiled_code(name, damage):
    forest = Forest.of([trees(2), trees(1)])
    bad = replace(forest, **{name: damage(getattr(forest, name))})
    with pytest.raises(ValueError, match="of the forest does not fit the model"):
        answers(bad, np.zeros((2, 3)))
