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


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_holds_for_random_distributions(n_classes):
    rng = np.random.default_rng(n_classes)
    constant, _ = LOSS.comparison(n_classes)
    ratios = []
    for _ in range(300):
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
