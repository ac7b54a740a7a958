import numpy as np

from simplexcoding.design import LandmarkMap
from simplexcoding.kernels import Kernel

rng = np.random.default_rng(0)
X = rng.normal(size=(50, 3))
K = Kernel("rbf", 0.5).matrix(X)


def test_inner_products_of_features_are_the_projected_kernel():
    m = np.arange(12)
    features = LandmarkMap.of(K[np.ix_(m, m)]).features(K[:, m].copy())
    projected = K[:, m] @ np.linalg.solve(K[np.ix_(m, m)], K[m])
    assert np.allclose(features @ features.T, projected)


def test_all_rows_as_landmarks_give_the_kernel_back():
    features = LandmarkMap.of(K).features(K.copy())
    assert np.allclose(features @ features.T, K, atol=1e-8)


def test_dependent_landmarks_are_left_out():
    m = np.array([0, 1, 2, 0, 1, 5])
    landmarks = LandmarkMap.of(K[np.ix_(m, m)])
    assert len(landmarks.chosen) == 4
    distinct = np.array([0, 1, 2, 5])
    expected = K[:, distinct] @ np.linalg.solve(K[np.ix_(distinct, distinct)], K[distinct])
    features = landmarks.features(K[:, m].copy())
    assert np.allclose(features @ features.T, expected)
    weights = rng.normal(size=(4, 3))
    assert np.allclose(K[:, m] @ landmarks.pull_back(weights, 6), features @ weights)
