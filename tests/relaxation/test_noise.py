from math import inf

import numpy as np
import pytest
from scipy.integrate import trapezoid

from simplexcoding.relaxation import NoiseCondition, noise_condition


def gaps(P):
    ordered = np.sort(P, axis=1)
    return ordered[:, -1] - ordered[:, -2]


@pytest.mark.parametrize("q", [0.0, 0.5, 1.0, 3.0])
def test_the_condition_holds_and_no_smaller_B_will_do(q):
    rng = np.random.default_rng(0)
    P, weights = rng.dirichlet(np.ones(3), 40), rng.dirichlet(np.ones(40))
    B = noise_condition(P, weights, q).B
    # The probability jumps at gaps: look there and between.
    s = np.concatenate([gaps(P), np.linspace(1e-4, 1, 500)])
    below = ((gaps(P)[None] <= s[:, None]) * weights).sum(axis=1)
    assert np.all(below <= B * s**q + 1e-12)
    assert np.any(below > 0.999 * B * s**q)


def test_a_tie_leaves_no_condition_but_the_empty_one():
    P = [[0.4, 0.4, 0.2], [1.0, 0.0, 0.0]]
    assert inf == noise_condition(P, q=1).B
    assert noise_condition(P, q=0).B == 1
    assert noise_condition(P, [0.0, 1.0], q=1).B == 1


def test_equal_gaps_count_together():
    P = [[0.75, 0.25], [0.25, 0.75], [1.0, 0.0], [0.0, 1.0]]
    assert pytest.approx(0.5 / 0.25) == noise_condition(P, q=2).B


def test_without_noise_information_the_constant_is_one():
    assert NoiseCondition(q=0, B=1).constant == pytest.approx(1)
    assert NoiseCondition(q=0, B=1).exponent == 0.5


@pytest.mark.parametrize("B", [1.0, 2.0, 10.0, 1e4])
@pytest.mark.parametrize("q", [0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 20.0])
def test_the_sharp_constant_is_the_least_of_the_three(q, B):
    condition = NoiseCondition(q, B)
    assert condition.constant <= 1 + np.sqrt(B)
    assert condition.constant <= condition.paper_constant


@pytest.mark.parametrize("q", [0.5, 1.0, 3.0])
def test_the_constant_is_the_least_over_c_of_its_derivation(q):
    B, A = 1.7, 0.003
    c = np.geomspace(1e-4, 1, 20_001)
    t = np.linspace(1, 2, 20_001)
    area = trapezoid(t**q * (t - 1), t)
    least = (A / (2 * c) + B * c ** (q + 1) * area).min()
    condition = NoiseCondition(q, B)
    assert condition.constant * A**condition.exponent == pytest.approx(least, rel=1e-5)


@pytest.mark.parametrize(
    ("q", "B", "words"), [(-1, 1, "q must be"), (inf, 1, "q must be"), (1, 0.5, "B must be")]
)
def test_parameters_are_checked(q, B, words):
    with pytest.raises(ValueError, match=words):
        NoiseCondition(q, B)
