import numpy as np
import pytest

from export.test_scores import run
from simplexcoding.export.trees import forest_answers
from simplexcoding.solvers.boosting.forest import EVERY, Forest

rng = np.random.default_rng(0)


def forest(n_trees, depth, dim, coordinates=False, sets=0, dtype=np.float64):
    """Random trees over four features, with sets of categories at some nodes."""
    nodes = 2**depth - 1
    thresholds = rng.integers(-3, 12, (n_trees, nodes)) + rng.choice([0.0, 1e-12], (n_trees, nodes))
    thresholds[:, -1] = np.inf  # A node that was not split.
    set_of = rng.integers(-1, sets, (n_trees, nodes)) if sets else np.full((n_trees, nodes), -1)
    return Forest(
        rng.integers(0, 4, (n_trees, nodes)).astype(np.intp),
        thresholds,
        np.zeros((n_trees, nodes)),
        rng.standard_normal((n_trees, nodes + 1, 1 if coordinates else dim)).astype(dtype),
        rng.integers(0, dim, n_trees) if coordinates else np.full(n_trees, EVERY, dtype=np.intp),
        np.arange(1, n_trees + 1),
        rng.random((n_trees, nodes)) < 0.5,
        set_of.astype(np.intp),
        rng.integers(-(2**63), 2**63, (sets, 4), dtype=np.int64),
    )


def rows():
    """Whole numbers on both sides of the thresholds and of the categories, halves and NaN."""
    X = rng.choice([-3.0, 0.0, 1.0, 2.5, 7.0, 63.0, 64.0, 255.0, 256.0, 300.0, np.nan], (200, 4))
    return X.astype(np.float32)


@pytest.mark.parametrize("coordinates", [False, True])
@pytest.mark.parametrize("sets", [0, 5])
@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_row_goes_its_way(coordinates, sets, depth, dtype):
    trees = forest(30, depth, 3, coordinates, sets, dtype)
    X = rows()
    expected = np.zeros((200, 3))
    trees.add(X.astype(np.float64), expected)
    found = run(lambda graph, X: graph.single(forest_answers(trees, graph, X, 3)), X)
    assert np.allclose(found, expected, atol=1e-5)


def test_a_forest_of_no_rounds_answers_zero():
    none = forest(1, 1, 3).first(0)
    found = run(lambda graph, X: graph.single(forest_answers(none, graph, X, 3)), rows())
    assert np.array_equal(found, np.zeros((200, 3)))
