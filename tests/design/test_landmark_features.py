from itertools import pairwise

import numpy as np
import pytest

from simplexcoding.design.landmark_features import LandmarkFeatures
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.kernels import Kernel

rng = np.random.default_rng(0)
X = rng.normal(size=(80, 3))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("sizes", [[5, 10, 40], [3, 4], [40]])
def test_added_features_are_those_made_at_once(sizes, dtype):
    rows, order, kernel = X.astype(dtype), rng.permutation(80), Kernel("exponential", 0.7)
    marked = LandmarkFeatures(lambda chosen: kernel.matrix(rows, rows[chosen]))
    for before, size in pairwise([0, *sizes]):
        marked.add(order[before:size])
    chosen = order[: sizes[-1]]
    K = kernel.matrix(X, X[chosen])
    at_once = LandmarkMap.of(K[chosen])
    expected, near = at_once.features(K), 1e-12 if dtype is np.float64 else 1e-4
    assert marked.features.dtype == dtype
    np.testing.assert_array_equal(marked.landmarks, chosen)
    np.testing.assert_allclose(marked.features, expected, atol=near)
    np.testing.assert_allclose(marked.map.factor, at_once.factor, atol=near)


@pytest.mark.parametrize("copies", [slice(0, 5), slice(60, 70)])
def test_landmarks_that_others_span_are_left_out(copies):
    rows = X.copy()
    rows[copies] = rows[20:21]
    kernel = Kernel("rbf", 0.3)
    marked = LandmarkFeatures(lambda chosen: kernel.matrix(rows, rows[chosen]))
    for before, size in pairwise([0, 20, 40, 75]):
        marked.add(np.arange(before, size))
    K = kernel.matrix(rows)
    # The projected kernel is exact at the landmarks.
    products = marked.features @ marked.features.T
    np.testing.assert_allclose(products[:75, :75], K[:75, :75], atol=1e-6)
    assert marked.features.shape[1] < 75


def test_single_precision_is_measured_against_the_factor():
    kernel, order = Kernel("exponential", 0.7), rng.permutation(80)
    double = LandmarkFeatures(lambda chosen: kernel.matrix(X, X[chosen]))
    single = LandmarkFeatures(lambda chosen: kernel.matrix(X, X[chosen]))
    for marked in (double, single):
        marked.add(order[:20])
    single.in_single()
    for marked in (double, single):
        marked.add(order[20:60])
    assert single.features.dtype == np.float32 and double.features.dtype == np.float64
    np.testing.assert_array_equal(single.map.factor, double.map.factor)
    errors = single.features - double.features
    np.testing.assert_allclose(errors, 0, atol=1e-4)
    # Rows that are no landmarks err as the landmarks do.
    others = np.setdiff1d(np.arange(80), order[:60])
    actual = 80 * np.square(errors[others]).mean(axis=0).max()
    assert 0.1 * actual < single.noise() < 10 * actual
    assert double.noise() < 1e-20
