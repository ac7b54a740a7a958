from dataclasses import replace

import numpy as np
import pytest

from reference import margin as reference
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import CONVERGED, ITERATIONS, MarginProblem
from simplexcoding.solvers.splitting.iteration import (
    Order,
    Stop,
    in_step,
    operator,
    order_for,
    splitting,
    steps,
)
from simplexcoding.solvers.splitting.resolvent import Gram


def draw(n=30, T=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    return MarginProblem(get_loss("cone"), rng.integers(T, size=n), np.ones(n), T), Gram(K)


def recording(data, stop):
    """Penalties of the operators built so far, and what builds them."""
    built = []

    def build(order):
        built.append(order.rho)
        return operator(data, order, stop.tol)

    return built, build


@pytest.mark.parametrize("rho", [0.1, 1.0, 10.0])
def test_every_penalty_finds_the_same_optimum(rho):
    problem, data = draw()
    fractions = []
    order = Order(rho, np.float64)
    found = splitting(problem, data, order, Stop(1e-6, 20_000), report=fractions.append)
    best = reference.optimum("cone", data.K, problem.y, problem.box, 3)
    assert found.status == CONVERGED and found.gap <= 1e-6
    assert found.certificate.primal == pytest.approx(best, rel=1e-5)
    assert all(0 <= fraction <= 1 for fraction in fractions)


def test_a_float32_operator_gives_way_where_it_stalls():
    problem, data = draw()
    found = splitting(problem, data, Order(1.0, np.float32), Stop(1e-9, 20_000))
    assert found.status == CONVERGED and found.gap <= 1e-9


def test_the_bound_on_iterations_is_a_status():
    problem, data = draw()
    found = splitting(problem, data, Order(1.0, np.float64), Stop(1e-9, 7))
    assert found.status == ITERATIONS and found.iterations == 7 and found.gap > 1e-9


def test_problems_in_step_end_as_they_would_alone():
    problem, data = draw()
    order, stop = Order(1.0, np.float64), Stop(1e-6, 20_000)
    parts = [problem.scaled(5.0), problem.scaled(0.1)]
    runs = [steps(part, data, order, stop, price=np.inf) for part in parts]
    found = in_step(runs, lambda order: operator(data, order, stop.tol))
    for part, solution in zip(parts, found, strict=True):
        alone = splitting(part, data, order, stop)
        assert solution.iterations == alone.iterations
        assert np.allclose(solution.coefficients, alone.coefficients, atol=1e-12)


def test_runs_with_other_orders_wait_for_their_operator():
    problem, data = draw()
    stop = Stop(1e-6, 20_000)
    built, build = recording(data, stop)
    rhos = [1.0, 3.0, 1.0]
    runs = [steps(problem, data, Order(rho, np.float64), stop, price=np.inf) for rho in rhos]
    in_step(runs, build)
    assert built == [1.0, 3.0]


@pytest.mark.parametrize("kind", ["cone", "vertex", "logistic"])
def test_a_penalty_that_is_too_small_grows_and_finds_the_optimum_sooner(kind):
    problem, data = draw()
    problem = replace(problem, loss=get_loss(kind)).scaled(100.0)
    order, stop = Order(0.1, np.float64), Stop(1e-5, 20_000)
    built, build = recording(data, stop)
    (found,) = in_step([steps(problem, data, order, stop, price=data.price())], build)
    held = splitting(problem, data, order, stop)
    assert built == sorted(built) and len(built) > 1
    assert found.status == CONVERGED
    assert found.iterations < held.iterations / 2
    best = reference.optimum(kind, data.K, problem.y, problem.box, 3)
    assert found.certificate.primal == pytest.approx(best, rel=1e-4)


def test_a_wish_for_more_than_the_largest_penalty_is_granted_in_part():
    problem, data = draw()
    first, stop = Order(1e-6, np.float64), Stop(1e-5, 300)
    built, build = recording(data, stop)
    in_step([steps(problem, data, first, stop, price=data.price())], build)
    assert built[-1] == pytest.approx(3**6 * 1e-6)


class Recorder:
    """Data that only tells which precisions were asked of it."""

    def resolvent(self, rho, dtype, factor_dtype=None):
        return dtype, factor_dtype or dtype

    def largest(self):
        return 1000.0


def test_precision_is_as_low_as_the_tolerance_allows():
    many = MarginProblem(get_loss("cone"), np.zeros(2000, np.intp), np.ones(2000), 3)
    few = many.rows(np.arange(100))
    low, high = np.float32, np.float64

    def precisions(problem, rho, tol):
        return operator(Recorder(), order_for(problem, Recorder(), rho, tol), tol)

    assert precisions(many, 1.0, 1e-3) == (low, low)
    assert precisions(many, 100.0, 1e-3) == (low, high)
    assert precisions(many, 1000.0, 1e-3) == (high, high)
    assert precisions(many, 1.0, 1e-6) == (high, high)
    assert precisions(few, 1.0, 1e-3) == (high, high)
