"""Theorem 1: excess misclassification <= C_T (excess loss)^a, and C_T is the least constant."""

import numpy as np
import pytest

from simplexcoding.losses import ConeHinge, HalfSpaceHinge, LeastSquares
from simplexcoding.relaxation import FiniteDistribution, comparison_bound, conditional_loss

LOSSES = [LeastSquares(), ConeHinge(), HalfSpaceHinge()]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)


def draw(rng, loss, n_classes, size):
    """Probabilities and scores: near the origin, near ties and far, in the hull where asked."""
    P = rng.dirichlet(np.full(n_classes, 0.5), size)
    # A point of the hull is a mixture of vertices.
    mixture = rng.dirichlet(np.full(n_classes, 0.7), size)
    S = (n_classes * mixture - 1) / (n_classes - 1) * rng.choice([1, 0.5, 0.01], (size, 1))
    if not isinstance(loss, HalfSpaceHinge):
        S = S * rng.choice([1, 2, 5], (size, 1))
    return P, S


def excesses(loss, P, S):
    """Excess misclassification and excess loss at each point."""
    rows = np.arange(len(P))
    risk = P.max(axis=1) - P[rows, S.argmax(axis=1)]
    least = conditional_loss(loss, loss.conditional_minimizer(P), P)
    return risk, conditional_loss(loss, S, P) - least


@each_loss
@pytest.mark.parametrize("n_classes", range(2, 9))
def test_holds_at_every_point(loss, n_classes):
    rng = np.random.default_rng(n_classes)
    risk, excess = excesses(loss, *draw(rng, loss, n_classes, 20_000))
    assert excess.min() > -1e-12
    bound = comparison_bound(loss, n_classes, np.maximum(excess, 0))
    assert np.mean(risk > 0) > 0.2
    assert np.all(risk <= bound + 1e-9)


@each_loss
def test_holds_on_average(loss):
    rng = np.random.default_rng(0)
    for _ in range(200):
        P, S = draw(rng, loss, 4, 10)
        rho = FiniteDistribution(P, rng.dirichlet(np.ones(10)))
        bound = comparison_bound(loss, 4, rho.excess_loss(loss, S))
        assert rho.excess_misclassification(S.argmax(axis=1)) <= bound + 1e-12


def largest_ratio(loss, n_classes, rounds=80, size=1500):
    """Largest risk/bound that a random climb from random points comes to."""
    rng = np.random.default_rng(0)
    P, S = draw(rng, loss, n_classes, size)
    best = 0.0
    for width in np.geomspace(0.3, 1e-5, rounds):
        risk, excess = excesses(loss, P, S)
        bound = comparison_bound(loss, n_classes, np.maximum(excess, 1e-9))
        ratio = np.nan_to_num(risk / bound)
        best = max(best, ratio.max())
        leaders = rng.choice(ratio.argsort()[-20:], size)
        leaders[:20] = ratio.argsort()[-20:]
        step = rng.normal(scale=width, size=(2, size, n_classes))
        step[:, :20] = 0
        P = np.maximum(P[leaders] + step[0], 1e-12)
        P /= P.sum(axis=1, keepdims=True)
        S = S[leaders] + step[1]
        S -= S.mean(axis=1, keepdims=True)
    return best


@each_loss
@pytest.mark.parametrize("n_classes", [2, 3])
def test_is_nearly_attained(loss, n_classes):
    ratio = largest_ratio(loss, n_classes)
    print(f"{loss!r}, T = {n_classes}: largest risk/bound {ratio:.6f}")
    assert 0.99 < ratio <= 1 + 1e-6


@pytest.mark.parametrize("loss", [ConeHinge(), HalfSpaceHinge()], ids=repr)
@pytest.mark.parametrize("n_classes", [2, 3, 5, 8])
def test_the_hinges_attain_it_at_the_origin(loss, n_classes):
    # All classes but one are equally likely, and a tie at the origin decodes to that one.
    P = np.full((1, n_classes), 1 / (n_classes - 1))
    P[0, 0] = 0
    risk, excess = excesses(loss, P, np.zeros((1, n_classes)))
    assert risk == pytest.approx(comparison_bound(loss, n_classes, excess))


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8])
def test_least_squares_attains_it_on_a_decision_boundary(n_classes):
    rng = np.random.default_rng(n_classes)
    P = rng.dirichlet(np.ones(n_classes), 1)
    P.sort(axis=1)
    S = LeastSquares().conditional_minimizer(P)
    # The nearest point where the two best classes tie; the second wins by a hair.
    S[0, -2:] = S[0, -2:].mean() + np.array([1e-12, -1e-12])
    risk, excess = excesses(LeastSquares(), P, S)
    assert risk > 0
    assert risk == pytest.approx(comparison_bound(LeastSquares(), n_classes, excess), rel=1e-6)


def binary_points(size=10_000):
    rng = np.random.default_rng(0)
    eta, margin = rng.random(size), rng.normal(scale=1.5, size=size)
    P, S = np.column_stack([eta, 1 - eta]), np.column_stack([margin, -margin])
    zero_one = np.where(margin >= 0, 1 - eta, eta) - np.minimum(eta, 1 - eta)
    return eta, margin, P, S, zero_one


def test_two_classes_give_the_classical_hinge_inequality():
    eta, margin, P, S, zero_one = binary_points()
    hinge = eta * np.maximum(1 - margin, 0) + (1 - eta) * np.maximum(1 + margin, 0)
    classical = hinge - 2 * np.minimum(eta, 1 - eta)
    risk, excess = excesses(ConeHinge(), P, S)
    np.testing.assert_allclose(risk, zero_one, atol=1e-15)
    np.testing.assert_allclose(excess, classical, atol=1e-12)
    np.testing.assert_allclose(
        comparison_bound(ConeHinge(), 2, abs(excess)), abs(classical), atol=1e-12
    )
    assert np.all(zero_one <= classical + 1e-12)


def test_two_classes_give_the_classical_square_inequality():
    eta, margin, P, S, zero_one = binary_points()
    classical = (margin - (2 * eta - 1)) ** 2
    risk, excess = excesses(LeastSquares(), P, S)
    np.testing.assert_allclose(risk, zero_one, atol=1e-15)
    np.testing.assert_allclose(excess, classical, atol=1e-12)
    np.testing.assert_allclose(comparison_bound(LeastSquares(), 2, classical), np.sqrt(classical))
    assert np.all(zero_one <= np.sqrt(classical) + 1e-12)
