import numpy as np
import pytest

from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.splitting.iteration import Order, Stop, splitting
from simplexcoding.solvers.splitting.penalty import race, shared
from simplexcoding.solvers.splitting.resolvent import Gram


def draw(C, scale=1.0, n=300, T=4):
    rng = np.random.default_rng(0)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 4)) + 1.5 * rng.normal(size=(T, 4))[y]
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    return MarginProblem(get_loss("cone"), y, np.full(n, float(C)), T), Gram(scale * K)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_no_penalty_ten_times_away_is_twice_as_fast(C):
    problem, data = draw(C)
    rho = race(problem, data, 1e-3)

    def count(factor):
        order = Order(rho * factor, np.float64)
        return splitting(problem, data, order, Stop(1e-3, 3000)).iterations

    assert count(1.0) <= 2 * min(count(10.0), count(0.1))


def test_the_race_knows_the_unit_of_the_kernel():
    """Kernel times s, C over s: the same problem, and rho over s the same iteration."""
    problem, data = draw(1.0)
    other, scaled = draw(0.01, scale=100.0)
    assert race(other, scaled, 1e-3) == pytest.approx(race(problem, data, 1e-3) / 100)


def test_a_kernel_of_zeros_has_a_penalty():
    problem, _ = draw(1.0)
    assert race(problem, Gram(np.zeros((300, 300))), 1e-3) > 0


def test_penalties_within_a_factor_of_nine_share_one():
    assert shared([9.0, 1.0, 27.0, 3.0, 300.0]) == pytest.approx([3.0, 3.0, 27.0, 3.0, 300.0])
