import numpy as np

from simplexcoding import SimplexCode
from simplexcoding.inference.probabilities import regression_probabilities


def test_mixtures_of_vertices_give_their_weights_back():
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=20)
    code = SimplexCode(5)
    assert np.allclose(regression_probabilities(code.scores(p @ code.codewords)), p)


def test_points_outside_the_hull_keep_their_argmax():
    S = 5 * np.random.default_rng(0).normal(size=(100, 4))
    S -= S.mean(axis=1, keepdims=True)
    P = regression_probabilities(S)
    assert np.allclose(P.sum(axis=1), 1) and P.min() >= 0
    assert np.array_equal(P.argmax(axis=1), S.argmax(axis=1))
