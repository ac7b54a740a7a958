"""Walks down many trees against one step after another."""

import numpy as np
import pytest

from reference import boosting as slow
from simplexcoding.solvers.boosting.forest import Forest, Tree
from simplexcoding.solvers.boosting.loops import tree_walks


def trees(width, coordinates, X, seed=1):
    rng = np.random.default_rng(seed)
    made = []
    for c in coordinates:
        thresholds = rng.normal(size=3)
        set_of = np.array([-1, 0, -1])
        features = np.array([rng.integers(3), 3, rng.integers(3)])
        thresholds[0] = X[0, features[0]] if c % 2 else thresholds[0]
        made.append(
            Tree(
                features,
                thresholds,
                np.ones(3),
                rng.normal(size=(4, width)),
                c,
                rng.random(3) < 0.5,
                rng.integers(-(2**63), 2**63, size=(1, 4)),
                set_of,
            )
        )
    made[0].thresholds[2] = np.inf
    return made


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("width", "coordinates"), [(2, [-1] * 5), (1, [0, 1, 1, 0, 1])])
def test_trees_answer_as_a_walk_does(dtype, width, coordinates):
    rng = np.random.default_rng(0)
    X = np.c_[rng.normal(size=(150, 3)), rng.integers(70, size=150)].astype(dtype)
    X[1:][rng.random((149, 4)) < 0.1] = np.nan
    parts = trees(width, coordinates, X)
    F = np.zeros((150, 2))
    Forest.of([parts[:2], parts[2:]]).add(X, F)
    expected = np.zeros((150, 2))
    for tree in parts:
        part = slice(None) if width == 2 else [tree.coordinate]
        for i in range(150):
            expected[i, part] += slow.walk(tree, X[i])
    assert np.allclose(F, expected, atol=1e-14)


def test_threads_change_nothing(monkeypatch):
    X = np.random.default_rng(0).normal(size=(1000, 4))
    parts = trees(2, [-1] * 8, X)
    answers = []
    for least in (0, 1 << 60):
        monkeypatch.setattr(tree_walks, "_LEAST_WORK_FOR_THREADS", least)
        F = np.zeros((1000, 2))
        Forest.of([parts]).add(X, F)
        answers.append(F)
    assert np.array_equal(*answers)


def test_a_category_that_no_bit_stands_for_goes_right():
    tree = Tree(
        np.array([0]), np.zeros(1), np.ones(1), np.array([[1.0], [2.0]]), -1, np.array([True]),
        np.full((1, 4), -1), np.array([0]),
    )  # fmt: skip
    F = np.zeros((4, 1))
    tree.add(np.array([[0.0], [255.0], [256.0], [-1.0]]), F)
    assert F.ravel().tolist() == [1.0, 1.0, 2.0, 2.0]
