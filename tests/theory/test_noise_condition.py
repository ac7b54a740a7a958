"""Theorem 2: under the noise condition the exponent of least squares rises to (q+1)/(q+2)."""

import numpy as np
import pytest

from simplexcoding.losses import LeastSquares
from simplexcoding.relaxation import (
    FiniteDistribution,
    NoiseCondition,
    comparison_bound,
    noise_condition,
)

LOSS = LeastSquares()
N_POINTS = 50


def excesses(rho, S):
    return rho.excess_misclassification(S.argmax(axis=1)), rho.excess_loss(LOSS, S)


def scores_near_ties(rng, P):
    """Scores close to the minimiser, part of them moved just across to a wrong class."""
    S = LOSS.conditional_minimizer(P)
    rows = np.arange(len(P))
    order = P.argsort(axis=1)
    wrong = rng.random(len(P)) < rng.random()
    best, rival = order[wrong, -1], order[wrong, -2]
    middle = (S[rows[wrong], best] + S[rows[wrong], rival]) / 2
    S[rows[wrong], best], S[rows[wrong], rival] = middle - 1e-9, middle + 1e-9
    noise = rng.normal(size=S.shape) * rng.choice([0, 0.03, 0.3])
    return S + noise - noise.mean(axis=1, keepdims=True)


def many(rng, n_classes, n_distributions, n_points=12):
    """Distributions and functions at once: P, S (d, n, T) and weights (d, n)."""
    shape = (n_distributions, n_points)
    P = rng.gamma(rng.choice([0.2, 0.5, 2.0], (n_distributions, 1, 1)), 1.0, (*shape, n_classes))
    P += 1e-6 * rng.random(P.shape)  # No gap is exactly zero.
    P /= P.sum(axis=2, keepdims=True)
    S = scores_near_ties(rng, P.reshape(-1, n_classes)).reshape(P.shape)
    # Half of the functions have little to do with the distribution.
    wild = rng.normal(size=P.shape) * rng.choice([0.1, 1, 3], (n_distributions, 1, 1))
    S[::2] = (wild - wild.mean(axis=2, keepdims=True))[::2]
    return P, S, rng.dirichlet(np.ones(n_points), n_distributions)


def quantities(P, S, weights):
    """Excess risk, excess least squares and gaps from their definitions."""
    T = P.shape[2]
    chosen = np.take_along_axis(P, S.argmax(axis=2)[..., None], axis=2)[..., 0]
    risk = np.sum(weights * (P.max(axis=2) - chosen), axis=1)
    best = T / (T - 1) * (P - 1 / T)  # scores of sum_k P_k c_k
    excess = (T - 1) / T * np.sum(weights * np.sum((S - best) ** 2, axis=2), axis=1)
    top = np.sort(P, axis=2)
    return risk, excess, top[..., -1] - top[..., -2]


def least_constant(gap, weights, q):
    """B of each distribution: the largest Prob(gap <= g)/g^q over its gaps g, at least one."""
    order = gap.argsort(axis=1)
    below = np.take_along_axis(weights, order, axis=1).cumsum(axis=1)
    needed = below / np.take_along_axis(gap, order, axis=1) ** q
    return np.maximum(needed.max(axis=1), 1.0)


@pytest.mark.parametrize("n_classes", [2, 3, 5, 8])
def test_holds_for_a_hundred_thousand_distributions_and_functions(n_classes):
    rng = np.random.default_rng(n_classes)
    P, S, weights = many(rng, n_classes, 30_000)
    risk, excess, gap = quantities(P, S, weights)
    assert np.mean(risk > 0) > 0.5
    scale = 2 * (n_classes - 1) / n_classes
    for q in (0.3, 1.0, 3.0):
        B = least_constant(gap, weights, q)
        sharp = (
            (q + 2) / (2 * (q + 1)) * (2 * B * (1 + q * 2 ** (q + 1)) / (q + 2)) ** (1 / (q + 2))
        )
        paper = (2 * np.sqrt(B + 1)) ** ((2 * q + 2) / (q + 2))
        bound = (scale * excess) ** ((q + 1) / (q + 2))
        assert np.all(risk <= sharp * bound * (1 + 1e-9) + 1e-12)
        assert np.all(sharp <= paper)
        for i in range(5):
            noise = noise_condition(P[i], weights[i], q)
            assert pytest.approx(B[i]) == noise.B
            assert (noise.constant, noise.paper_constant) == pytest.approx((sharp[i], paper[i]))


def test_two_classes_give_the_binary_inequality():
    """Under Prob(|2 eta - 1| <= s) <= B s^q the square loss of m gives the same bound."""
    P, S, weights = many(np.random.default_rng(0), 2, 20_000)
    risk, excess, gap = quantities(P, S, weights)
    eta, margin = P[..., 0], S[..., 0]
    wrong = (margin < 0) != (eta < 0.5)
    binary_risk = np.sum(weights * np.abs(2 * eta - 1) * wrong, axis=1)
    binary_excess = np.sum(weights * (margin - (2 * eta - 1)) ** 2, axis=1)
    np.testing.assert_allclose(risk, binary_risk, atol=1e-12)
    np.testing.assert_allclose(excess, binary_excess, atol=1e-9)
    np.testing.assert_allclose(gap, np.abs(2 * eta - 1), atol=1e-15)
    for q in (0.5, 1.0, 2.0):
        B = least_constant(np.abs(2 * eta - 1), weights, q)
        # By hand for two classes: E|2 eta - 1| 1[wrong] <= E(.)^2/c + c Prob(0 < |.| <= c, wrong).
        c = (binary_excess / B) ** (1 / (q + 2))
        classical = binary_excess / c + c * B * c**q
        assert np.all(binary_risk <= classical * (1 + 1e-9))
        # That is 2 B^(1/(q+2)) excess^((q+1)/(q+2)); the sharp constant is below it.
        ours = [NoiseCondition(q, b).constant for b in B[:200]]
        assert np.all(ours <= 2 * B[:200] ** (1 / (q + 2)))


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_holds_for_random_distributions(n_classes):
    rng = np.random.default_rng(n_classes)
    constant, _ = LOSS.comparison(n_classes)
    ratios = []
    for _ in range(100):
        P = rng.dirichlet(np.full(n_classes, rng.choice([0.2, 0.5, 2.0])), N_POINTS)
        rho = FiniteDistribution(P, rng.dirichlet(np.ones(N_POINTS)))
        risk, excess = excesses(rho, scores_near_ties(rng, P))
        for q in (0.3, 1.0, 3.0):
            noise = noise_condition(rho.P, rho.weights, q)
            sharpened = noise.constant * (constant**2 * excess) ** noise.exponent
            assert risk <= sharpened * (1 + 1e-9) + 1e-9
            assert risk <= comparison_bound(LOSS, n_classes, excess, noise) * (1 + 1e-6) + 1e-9
            ratios.append(risk / max(sharpened, 1e-9))
    # Not vacuous: a constant a fifth smaller would be violated.
    assert max(ratios) > 0.8


def extremal(q, B, n_classes, size=4000, c=0.1):
    """Gaps with Prob(gap <= s) = B s^q from c to 2c, a mass B c^q at c, and no other errors.

    Only the two best classes are possible, the rest have probability zero.
    """
    s = np.linspace(c, 2 * c, size)
    mass = np.diff(B * s**q, prepend=0.0)
    gap, weights = np.append(s, 1.0), np.append(mass, 1 - B * (2 * c) ** q)
    P = np.zeros((size + 1, n_classes))
    P[:, 0], P[:, 1] = (1 - gap) / 2, (1 + gap) / 2
    S = LOSS.conditional_minimizer(P)
    S[:-1, :2] = S[:-1, :2].mean(axis=1, keepdims=True) + np.array([1e-12, -1e-12])
    return FiniteDistribution(P, weights), S


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("q", "B"), [(0.5, 1.0), (1.0, 1.0), (1.0, 3.0), (3.0, 20.0)])
def test_the_constant_is_attained(q, B, n_classes):
    rho, S = extremal(q, B, n_classes)
    noise = noise_condition(rho.P, rho.weights, q)
    assert abs(noise.B - B) < 1e-9 * B
    risk, excess = excesses(rho, S)
    constant, _ = LOSS.comparison(n_classes)
    ratio = risk / (noise.constant * (constant**2 * excess) ** noise.exponent)
    print(f"q = {q}, B = {B}, T = {n_classes}: largest risk/bound {ratio:.6f}")
    assert 0.999 < ratio <= 1 + 1e-9


def test_a_smaller_constant_than_the_sharp_one_is_wrong():
    # B^(1/(q+2)) is what errors of one size alone would suggest.
    rho, S = extremal(1.0, 1.0, 2)
    risk, excess = excesses(rho, S)
    assert risk > 1.1 * excess ** (2 / 3)


def test_no_noise_at_all_makes_the_bound_linear_in_the_limit():
    constants = [NoiseCondition(q, 1.0) for q in (10, 100, 1000)]
    assert constants[-1].exponent == pytest.approx(1, abs=1e-2)
    assert constants[-1].constant == pytest.approx(1, abs=2e-2)
