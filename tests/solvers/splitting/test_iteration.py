import numpy as np
import pytest

from reference import margin as reference
from simplexcoding.design.operators import Gram
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.splitting.iteration import Order, Stop, steps


def draw(n=30, T=3, loss="cone"):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    return MarginProblem(get_loss(loss), rng.integers(T, size=n), np.ones(n), T), Gram(K)


def run(problem, data, rho, stop, dtype=np.float64, start=None, report=lambda fraction: None):
    """Solution of one problem, and the orders it gave."""
    orders = []
    going = steps(problem, data, lambda rho: Order(rho, dtype), rho, stop, start, report)
    asked = next(going)
    while True:
        order, Q = asked
        if order is not None and (not orders or orders[-1] != order):
            orders.append(order)
            resolvent = data.resolvent(*order)
        try:
            if order is None:
                asked = going.send((data.scores(Q),))
            else:
                asked = going.send(resolvent.split(Q, np.full(Q.shape[1], order.rho)))
        except StopIteration as end:
            return end.value, orders


@pytest.mark.parametrize("rho", [0.1, 1.0, 10.0])
def test_every_penalty_finds_the_same_optimum(rho):
    problem, data = draw()
    fractions = []
    found, _ = run(problem, data, rho, Stop(1e-6, 20_000), report=fractions.append)
    best = reference.optimum("cone", data.K, problem.y, problem.box, 3)
    assert found.status is Status.CONVERGED and found.gap <= 1e-6
    assert found.certificate.primal == pytest.approx(best, rel=1e-5)
    assert all(0 <= fraction <= 1 for fraction in fractions)
    assert np.allclose(found.scores, data.K @ found.coefficients)


def test_a_float32_operator_gives_way_where_it_stalls():
    problem, data = draw()
    found, orders = run(problem, data, 1.0, Stop(1e-9, 20_000), np.float32)
    assert found.status is Status.CONVERGED and found.gap <= 1e-9
    assert orders[-1].dtype == np.float64


def test_the_bound_on_iterations_is_a_status():
    problem, data = draw()
    found, _ = run(problem, data, 1.0, Stop(1e-9, 7))
    assert found.status is Status.ITERATIONS and found.iterations == 7 and found.gap > 1e-9


@pytest.mark.parametrize("kind", ["cone", "vertex", "logistic"])
@pytest.mark.parametrize("first", [0.03, 1e4])
def test_a_penalty_that_is_far_off_moves_and_the_optimum_is_found(kind, first):
    problem, data = draw(loss=kind)
    problem = problem.scaled(100.0)
    found, orders = run(problem, data, first, Stop(1e-5, 20_000))
    assert len(orders) > 1 and (orders[-1].rho > first) == (first < 1)
    assert found.status is Status.CONVERGED and found.iterations < 2000
    best = reference.optimum(kind, data.K, problem.y, problem.box, 3)
    assert found.certificate.primal == pytest.approx(best, rel=1e-4)


def test_a_run_that_starts_at_a_solution_is_there():
    problem, data = draw()
    found, _ = run(problem, data, 1.0, Stop(1e-6, 20_000))
    again, _ = run(problem, data, 3.0, Stop(1e-5, 20_000), start=found.state)
    assert again.iterations <= 10 < found.iterations
