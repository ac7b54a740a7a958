"""Passes over probabilities against NumPy, alone and in threads."""

import numpy as np
import pytest
from scipy.special import softmax

from simplexcoding.solvers.boosting import softmax_rows


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    n, T = 700, 5
    S = rng.normal(size=(n, T))
    return S, rng.integers(T, size=n), rng.exponential(size=n), rng.integers(8, size=n)


@pytest.mark.parametrize("name", ["multiply", "multiply_in_threads"])
def test_products_are_softmaxes_of_sums(rows, name):
    S, y, weights, leaf = rows
    leaves = np.random.default_rng(1).normal(size=(8, 5))
    P = softmax(S, axis=1).astype(np.float32)
    risk = getattr(softmax_rows, name)(P, leaf, np.exp(leaves).astype(np.float32), y, weights)
    expected = softmax(S + leaves[leaf], axis=1)
    assert np.allclose(P, expected, rtol=1e-5)
    assert risk == pytest.approx(-weights @ np.log(expected[np.arange(700), y]), rel=1e-6)


def test_a_class_out_of_reach_can_come_back():
    P = np.full((1, 2), 0.5, dtype=np.float32)
    away, back = np.exp(np.array([[-80.0, 0.0]])), np.exp(np.array([[80.0, 0.0]]))
    for growth in (away, away, back, back):
        softmax_rows.multiply(
            P, np.zeros(1, dtype=np.intp), growth.astype(np.float32), np.array([0]), np.ones(1)
        )
    assert np.all(np.isfinite(P)) and P[0, 0] > 0.99


@pytest.mark.parametrize("name", ["project", "project_in_threads"])
def test_the_table_has_descents_along_directions_and_curvatures(rows, name):
    S, y, weights, _ = rows
    directions = np.random.default_rng(2).normal(size=(5, 3))
    P = softmax(S, axis=1).astype(np.float32)
    table = np.zeros((700, 8))
    padded = np.zeros((5, 8), dtype=np.float32)
    padded[:, :3] = directions
    getattr(softmax_rows, name)(P, y, weights, padded, table, 3)
    descent = weights[:, None] * (np.eye(5)[y] - P)
    assert np.allclose(table[:, :3], descent @ directions, atol=1e-5)
    assert np.allclose(table[:, 3], weights * (P * (1 - P)).sum(axis=1), rtol=1e-5)
    assert np.all(table[:, 4] == 1) and not table[:, 5:].any()


@pytest.mark.parametrize("name", ["leaf_derivatives", "leaf_derivatives_in_threads"])
def test_leaves_sum_their_rows(rows, name):
    S, y, weights, leaf = rows
    P = softmax(S, axis=1).astype(np.float32)
    counts = np.bincount(leaf, minlength=8)
    ends = np.cumsum(counts)
    members = np.argsort(leaf, kind="stable")
    descent, curvature = getattr(softmax_rows, name)(P, y, weights, members, ends - counts, ends)
    for q in range(8):
        mine = leaf == q
        w = weights[mine, None]
        assert np.allclose(descent[q], (w * (np.eye(5)[y[mine]] - P[mine])).sum(axis=0), atol=1e-4)
        assert np.allclose(curvature[q], (w * P[mine] * (1 - P[mine])).sum(axis=0), rtol=1e-4)
