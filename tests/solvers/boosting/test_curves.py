"""Every curve is the risk of the loss itself at S + a D."""

import numpy as np
import pytest

from reference import losses as slow
from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting.curves import (
    LONGEST_MOVE,
    ExponentialCurve,
    LogisticCurve,
    LossCurve,
    longest_step,
    odds,
)
from simplexcoding.solvers.boosting.loops.tree_sums import class_sums

STEPS = [0.0, 0.1, 1.0, 3.0]


def rows(T, n=60, L=4):
    rng = np.random.default_rng(T)
    S, leaves = rng.normal(size=(n, T)), rng.normal(size=(L, T))
    S -= S.mean(axis=1, keepdims=True)
    leaves -= leaves.mean(axis=1, keepdims=True)
    weights = rng.exponential(size=n)
    return S, rng.integers(T, size=n), weights, rng.integers(L, size=n), leaves


def cheap(name, S, y, weights, leaf, leaves):
    if name == "logistic":
        return LogisticCurve(odds(S, y), leaf, y, weights, leaves)
    terms = weights[:, None] * odds(S, y, pace=0.5)
    return ExponentialCurve(class_sums(terms, leaf, y, len(leaves), S.shape[1]), leaves)


@pytest.mark.parametrize("T", [2, 3, 7])
@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_the_cheap_form_equals_the_loss(name, T):
    S, y, weights, leaf, leaves = rows(T)
    ours = cheap(name, S, y, weights, leaf, leaves)
    plain = LossCurve(get_loss(name), S, leaves[leaf], y, weights)
    for a in STEPS:
        assert ours.value(a) == pytest.approx(plain.value(a), rel=1e-12)
        assert ours.slope(a) == pytest.approx(plain.slope(a), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_the_plain_form_equals_loops_and_its_slope_finite_differences(name):
    S, y, weights, leaf, leaves = rows(4)
    plain = LossCurve(get_loss(name), S, leaves[leaf], y, weights)
    for a in STEPS:
        U = S + a * leaves[leaf]
        looped = sum(w * slow.value(name, u, k) for w, u, k in zip(weights, U, y, strict=True))
        assert plain.value(a) == pytest.approx(looped, rel=1e-12)
        difference = (plain.value(a + 1e-5) - plain.value(a - 1e-5)) / 2e-5
        assert plain.slope(a) == pytest.approx(difference, rel=1e-6, abs=1e-6)


def test_small_logistic_risks_are_not_rounded_away():
    S = np.array([[60.0, -30.0, -30.0]])
    curve = LogisticCurve(odds(S, np.array([0])), np.array([0]), np.array([0]), np.ones(1), S)
    assert curve.value(0.0) == pytest.approx(2 * np.exp(-90))
    assert curve.slope(0.0) == pytest.approx(-180 * np.exp(-90))


def test_odds_do_not_overflow():
    S = np.array([[-2000.0, 2000.0]])
    assert np.all(np.isfinite(odds(S, np.array([0]))))


def test_the_longest_step_moves_two_scores_so_far_apart():
    D = np.array([[1.0, -1.0, 0.0], [2.0, -3.0, 1.0]])
    assert longest_step(D) * 5 == LONGEST_MOVE
    assert longest_step(np.zeros((2, 3))) == 1.0
