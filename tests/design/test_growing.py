from itertools import pairwise

import numpy as np
import pytest

from simplexcoding.design.growing import GrowingLandmarks
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.kernels import Kernel

rng = np.random.default_rng(0)
X = rng.normal(size=(80, 3))


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("sizes", [[5, 10, 40], [3, 4], [40]])
def test_grown_features_are_those_made_at_once(sizes, dtype):
    rows, order, kernel = X.astype(dtype), rng.permutation(80), Kernel("exponential", 0.7)
    growing = GrowingLandmarks(lambda chosen: kernel.matrix(rows, rows[chosen]))
    for before, size in pairwise([0, *sizes]):
        growing.grow(order[before:size])
    chosen = order[: sizes[-1]]
    K = kernel.matrix(X, X[chosen])
    at_once = LandmarkMap.of(K[chosen])
    expected, near = at_once.features(K), 1e-12 if dtype is np.float64 else 1e-4
    assert growing.features.dtype == dtype
    np.testing.assert_array_equal(growing.landmarks, chosen)
    np.testing.assert_allclose(growing.features, expected, atol=near)
    np.testing.assert_allclose(growing.map.factor, at_once.factor, atol=near)


@pytest.mark.parametrize("copies", [slice(0, 5), slice(60, 70)])
def test_landmarks_that_others_span_are_left_out(copies):
    rows = X.copy()
    rows[copies] = rows[20:21]
    kernel = Kernel("rbf", 0.3)
    growing = GrowingLandmarks(lambda chosen: kernel.matrix(rows, rows[chosen]))
    for before, size in pairwise([0, 20, 40, 75]):
        growing.grow(np.arange(before, size))
    K = kernel.matrix(rows)
    # The projected kernel is exact at the landmarks.
    products = growing.features @ growing.features.T
    np.testing.assert_allclose(products[:75, :75], K[:75, :75], atol=1e-6)
    assert growing.features.shape[1] < 75
