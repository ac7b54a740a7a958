import numpy as np
import pytest

from reference import margin as reference
from simplexcoding.design.operators import Gram
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.splitting.iteration import Anchor, Order, Stop, split_at, steps


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


def test_a_float32_operator_reaches_the_gap_of_a_float64_one():
    problem, data = draw()
    found, orders = run(problem, data, 1.0, Stop(1e-9, 20_000), np.float32)
    assert found.status is Status.CONVERGED and found.gap <= 1e-9
    assert all(order.dtype == np.float32 for order in orders)
    assert np.allclose(found.scores, data.K @ found.coefficients, atol=1e-12)


def test_a_float32_operator_gives_way_where_it_stalls():
    problem, data = draw()
    # One eigenvalue is so large that float32 has few digits left for the others.
    data = Gram(data.K + 1e5)
    found, orders = run(problem, data, 1.0, Stop(1e-6, 20_000), np.float32)
    assert found.status is Status.CONVERGED and found.gap <= 1e-6
    assert orders[0].dtype == np.float32 and orders[-1].dtype == np.float64


def test_an_anchor_takes_its_rounding_along():
    """A Q of an operator that is a thousandth off, exact at the anchor and nearly so around it."""
    rng = np.random.default_rng(0)
    K = draw()[1].K
    B = rng.normal(size=(30, 3))
    rho, anchor = 0.7, Anchor(B, K @ B)
    exact = np.linalg.solve(np.eye(30) + rho * K, rho * K)
    for away in (0.0, 1e-6, 1e-3):
        Q = anchor.S + B / rho + away * rng.normal(size=(30, 3))
        going = split_at(Order(rho, np.float64), Q, anchor)
        _, moved = next(going)
        with pytest.raises(StopIteration) as end:
            going.send((1.001 * exact @ moved, moved - 1.001 * exact @ moved))
        S, rest = end.value.value
        assert np.abs(S - exact @ Q).max() <= 1e-2 * away + 1e-12
        assert np.abs(rest - (Q - exact @ Q)).max() <= 1e-2 * away + 1e-12


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
