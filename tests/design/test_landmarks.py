import numpy as np

from simplexcoding.design import LandmarkMap
from simplexcoding.design.landmarks import landmark_count, most_landmarks
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


def test_automatic_landmarks_begin_beyond_eight_thousand_rows():
    assert landmark_count(None, 10**6) is None
    assert landmark_count("auto", 8000) is None
    assert landmark_count("auto", 8001) == 3000
    assert landmark_count("auto", 2 * 8000) == int(3000 * 2**0.25)
    # Time bounds the number, and beyond 100,000 rows memory.
    assert landmark_count("auto", 10 * 8000) == most_landmarks(10 * 8000) == 5000
    assert landmark_count("auto", 10**6) == most_landmarks(10**6) == 500
    assert landmark_count(50, 40) == 40 and landmark_count(50, 400) == 50
