"""Eight numbers at a time against NumPy, at places that are not aligned."""

import numpy as np
import pytest

from simplexcoding.compiled import compiled
from simplexcoding.solvers.boosting.loops import lanes


@compiled
def steps(doubles, values, total, some):
    lanes.add_eight(doubles, 3, values, 1)
    lanes.copy_eight(doubles, 11, values, 2)
    lanes.subtract_eight(doubles, 19, 3, 11)
    return lanes.squares_of_eight(doubles, 3, total, 5, some, 1)


@compiled
def passes(descent, curvature, P, factors, weight, scale, least):
    lanes.add_derivatives(descent, curvature, 1, P, 2, weight)
    total = lanes.multiply_eight(P, 2, factors, 3)
    lanes.scale_eight(P, 2, scale, least)
    return total, lanes.square_of_eight(P, 2)


@compiled
def projected(table, P, directions, y, weight):
    lanes.project_eight(table, 4, P, 1, len(directions), directions, y, 8, 16, weight)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_sums_copies_differences_and_squares(rng):
    doubles, values, total = rng.normal(size=(3, 30))
    some = rng.random(30)
    expected = doubles.copy()
    expected[3:11] += values[1:9]
    expected[11:19] = values[2:10]
    expected[19:27] = expected[3:11] - expected[11:19]
    found = steps(doubles.reshape(5, 6), values.reshape(2, 15), total, some)
    assert np.array_equal(doubles, expected)
    rest = total[5:13] - expected[3:11]
    assert np.allclose(found, [some[1:9] @ expected[3:11] ** 2, some[1:9] @ rest**2])


def test_passes_over_probabilities(rng):
    P, factors = rng.random((2, 12)).astype(np.float32)
    descent, curvature = rng.normal(size=(2, 12))
    before, p, product = descent.copy(), P[2:10].copy(), P[2:10] * factors[3:11]
    bent = curvature.copy()
    weight, scale, least = np.float32(1.7), np.float32(0.5), np.float32(0.1)
    total, square = passes(descent, curvature, P, factors, weight, scale, least)
    assert np.allclose((before - descent)[1:9], weight * p, rtol=1e-5)
    assert np.allclose((curvature - bent)[1:9], weight * p * (1 - p), rtol=1e-5)
    assert total == pytest.approx(product.sum(), rel=1e-6)
    assert np.allclose(P[2:10], np.maximum(product / 2, least), rtol=1e-6)
    assert square == pytest.approx(P[2:10] @ P[2:10], rel=1e-6)
    assert np.array_equal(before[[0, *range(9, 12)]], descent[[0, *range(9, 12)]])


def test_projections(rng):
    directions = rng.normal(size=(5, 16)).astype(np.float32)
    P, table = rng.random(7).astype(np.float32), np.zeros(13)
    projected(table, P, directions, 3, 2.5)
    expected = 2.5 * (directions[3, 8:] - P[1:6] @ directions[:, 8:])
    assert np.allclose(table[4:12], expected, atol=1e-5)
    assert not table[[0, 1, 2, 3, 12]].any()
