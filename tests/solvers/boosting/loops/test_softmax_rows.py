"""Passes over probabilities against NumPy, in parts as threads take them."""

import numpy as np
import pytest
from scipy.special import softmax

from simplexcoding.solvers.boosting.loops import softmax_rows


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    n, T = 700, 5
    S = rng.normal(size=(n, T))
    return S, rng.integers(T, size=n), rng.exponential(size=n), rng.integers(8, size=n)


def test_products_are_softmaxes_of_sums(rows):
    S, y, weights, leaf = rows
    leaves = np.random.default_rng(1).normal(size=(8, 5))
    P, factors = (
        softmax_rows.padded(numbers.astype(np.float32))
        for numbers in (softmax(S, axis=1), np.exp(leaves))
    )
    risks = np.empty(3)
    for first, last in ((2, 3), (0, 2)):
        softmax_rows.multiply(P, leaf, factors, y, weights, risks, first, last)
    expected = softmax(S + leaves[leaf], axis=1)
    assert P.shape == (700, 8) and P[:, 5:].max() < 1e-29
    P = P[:, :5]
    assert np.allclose(P, expected, rtol=1e-5)
    assert risks.sum() == pytest.approx(-weights @ np.log(expected[np.arange(700), y]), rel=1e-6)


def test_a_class_out_of_reach_can_come_back():
    P = softmax_rows.padded(np.full((1, 2), 0.5, dtype=np.float32))
    away, back = np.exp(np.array([[-80.0, 0.0]])), np.exp(np.array([[80.0, 0.0]]))
    for factors in (away, away, back, back):
        own, one = np.zeros(1, dtype=np.intp), np.ones(1)
        factors = softmax_rows.padded(factors.astype(np.float32))
        softmax_rows.multiply(P, own, factors, own, one, np.empty(1), 0, 1)
    assert np.all(np.isfinite(P)) and P[0, 0] > 0.99


def test_leaves_sum_their_rows(rows):
    S, y, weights, leaf = rows
    P = softmax_rows.padded(softmax(S, axis=1).astype(np.float32))
    descent, curvature = np.zeros((2, 8, 8))
    for first, last in ((0, 5), (5, 8)):
        softmax_rows.leaf_derivatives(P, y, weights, leaf, descent, curvature, first, last)
    P, descent, curvature = P[:, :5], descent[:, :5], curvature[:, :5]
    for q in range(8):
        mine = leaf == q
        w = weights[mine, None]
        assert np.allclose(descent[q], (w * (np.eye(5)[y[mine]] - P[mine])).sum(axis=0), atol=1e-4)
        assert np.allclose(curvature[q], (w * P[mine] * (1 - P[mine])).sum(axis=0), rtol=1e-4)
