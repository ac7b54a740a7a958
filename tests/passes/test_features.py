import numpy as np

from simplexcoding.design import Coefficients
from simplexcoding.kernels import Kernel
from simplexcoding.passes.features import Columns, Landmarks

X = np.random.default_rng(0).normal(size=(12, 3))


def test_columns_are_the_rows_themselves():
    columns = Columns(Kernel("linear"))
    found = Coefficients(np.eye(3), np.zeros(3))
    assert columns.of(X) is X
    assert columns.pull_back(found) is found
    assert columns.compared_with(X).shape == (0, 3)
    assert columns.product_dtype(X.astype(np.float32)) == np.float64


def test_inner_products_of_landmark_features_are_the_projected_kernel():
    kernel = Kernel("rbf", 0.3)
    features = Landmarks.on(kernel, X[:5])
    K, M = kernel.matrix(X, X[:5]), kernel.matrix(X[:5])
    Phi = features.of(X)
    assert np.allclose(Phi @ Phi.T, K @ np.linalg.solve(M, K.T))
    weights = np.random.default_rng(1).normal(size=(5, 2))
    pulled = features.pull_back(Coefficients(weights, np.zeros(2)))
    assert np.allclose(K @ pulled.weights, Phi @ weights)
    assert features.compared_with(X) is features.basis
