import numpy as np
from scipy.sparse import csr_matrix

from simplexcoding.design import Targets

rng = np.random.default_rng(0)
y, w, X = rng.integers(3, size=20), rng.uniform(1, 2, 20), rng.normal(size=(20, 4))


def test_sums_are_products_with_the_one_hot_matrix():
    for weights in (None, w):
        targets = Targets(y, 4, weights)
        W = np.ones(20) if weights is None else weights
        assert np.allclose(targets.sums(X), (targets.one_hot() * W[:, None]).T @ X)
        assert np.allclose(targets.sums(csr_matrix(X)), targets.sums(X))
        assert np.isclose(targets.total, W.sum())
        assert np.allclose(targets.class_weights, (targets.one_hot() * W[:, None]).sum(axis=0))


def test_rows_keep_the_number_of_classes():
    part = Targets(y, 4, w).rows(np.array([0, 5]))
    assert part.n_classes == 4 and len(part) == 2
    assert np.array_equal(part.weights, w[[0, 5]])
