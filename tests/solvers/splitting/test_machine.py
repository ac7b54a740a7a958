from dataclasses import replace

import numpy as np
import pytest

from simplexcoding.design.operators import Gram, Spectral, kernel_data
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem, State
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting, first_penalty, shared_penalties

LOSSES = [get_loss(name) for name in ("cone", "half_space", "relative", "vertex", "logistic")]


def draw(n=120, T=4, loss="cone", scale=1.0):
    rng = np.random.default_rng(0)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 4)) + 1.5 * rng.normal(size=(T, 4))[y]
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    w = rng.uniform(0.5, 2.0, size=n)
    loss = get_loss(loss) if isinstance(loss, str) else loss
    return MarginProblem(loss, y, w, T), scale * K


class Counted(Gram):
    """A kernel matrix that notes what was asked of it."""

    asked = ()
    products = ()

    def resolvent(self, rho, dtype, deflated=False):
        object.__setattr__(self, "asked", (*self.asked, (rho, dtype, deflated)))
        return super().resolvent(rho, dtype, deflated)

    def scores(self, B):
        object.__setattr__(self, "products", (*self.products, B.shape[1]))
        return super().scores(B)


class Expensive(Gram):
    """A kernel matrix on which no change of the penalty pays."""

    def price(self):
        return np.inf


@pytest.mark.parametrize("kind", [Gram, kernel_data])
def test_problems_in_step_end_at_their_optima_in_the_order_asked(kind):
    problem, K = draw()
    stop = Stop(1e-6, 20_000)
    parts = [problem.scaled(c) for c in (10.0, 0.1, 1.0)]
    together = Splitting(kind(K), 1e-6).solve(parts, stop)
    for part, solution in zip(parts, together, strict=True):
        (alone,) = Splitting(kind(K), 1e-6).solve([part], stop)
        assert solution.status is Status.CONVERGED
        assert solution.certificate.primal == pytest.approx(alone.certificate.primal, rel=2e-6)


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("kind", [Gram, kernel_data])
def test_rows_set_aside_are_as_if_absent(loss, kind):
    """On the whole operator, weights and all, the optimum is that without the rows."""
    problem, K = draw(loss=loss)
    held = np.arange(0, 120, 5)
    rest = np.setdiff1d(np.arange(120), held)
    stop = Stop(1e-9, 100_000)
    (aside,) = Splitting(kind(K), 1e-9).solve([problem.without(held)], stop)
    part = MarginProblem(loss, problem.y[rest], problem.box[rest], 4)
    (absent,) = Splitting(kind(K[np.ix_(rest, rest)]), 1e-9).solve([part], stop)
    assert aside.certificate.primal == pytest.approx(absent.certificate.primal, rel=1e-8)
    assert np.allclose(aside.scores, K[:, rest] @ absent.coefficients, atol=2e-4)
    assert not aside.certificate.point[held].any()


def test_problems_that_are_checked_together_share_the_product_with_the_kernel():
    problem, K = draw()
    alone, together = Counted(K), Counted(K)
    (one,) = Splitting(alone, 1e-6).solve([problem], Stop(1e-6, 20_000))
    found = Splitting(together, 1e-6).solve(3 * [problem], Stop(1e-6, 20_000))
    assert together.products == tuple(3 * width for width in alone.products)
    for solution in found:
        assert np.allclose(solution.coefficients, one.coefficients, atol=1e-12)


def test_runs_in_step_that_move_to_penalties_near_each_other_share_one():
    problem, K = draw()
    problems = [problem.scaled(c) for c in (1.0, 1.5, 2.0)]
    stop = Stop(1e-6, 20_000)
    starts = [replace(s, rho=1e4) for s in Splitting(Gram(K), 1e-6).solve(problems, stop)]
    starts = [replace(s, state=State(0 * s.state.Z, 0 * s.state.D)) for s in starts]
    data = Counted(K)
    found = Splitting(data, 1e-6).solve(problems, stop, starts)
    assert all(solution.status is Status.CONVERGED for solution in found)
    # Each moves twice, from 1e4 and once more: all to the same two.
    assert len({rho for rho, _, _ in data.asked}) == 3


def test_a_fit_that_starts_where_a_search_ended_finds_the_operator_there():
    problem, K = draw()
    data = Counted(K)
    machine = Splitting(data, 1e-3)
    found = machine.solve(
        [problem.without(np.arange(20)).scaled(c) for c in (1, 2)], Stop(0.01, 999)
    )
    before = data.asked
    (warm,) = machine.solve([problem.scaled(2)], Stop(1e-3, 999), [found[1]])
    assert len(before) == 1 and data.asked == before
    assert warm.status is Status.CONVERGED


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_unit_of_the_kernel_does_not_matter(loss):
    """Kernel times s, C over s: the same problem, solved in as many iterations."""
    problem, K = draw(loss=loss)
    (one,) = Splitting(Gram(K), 1e-4).solve([problem], Stop(1e-4, 5000))
    (other,) = Splitting(Gram(1e4 * K), 1e-4).solve([problem.scaled(1e-4)], Stop(1e-4, 5000))
    assert abs(one.iterations - other.iterations) <= 1
    assert np.allclose(one.scores, other.scores, atol=1e-6)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
def test_no_penalty_ten_times_away_is_twice_as_fast(C):
    problem, K = draw(n=300)
    (start,) = Splitting(Gram(K), 1e-3).pilot([problem.scaled(C)])
    zero = State(0 * start.state.Z, 0 * start.state.D)

    def count(factor):
        machine = Splitting(Expensive(K), 1e-3)
        begun = replace(start, state=zero, rho=start.rho * factor)
        (found,) = machine.solve([problem.scaled(C)], Stop(1e-3, 3000), [begun])
        return found.iterations

    assert count(1.0) <= 2 * min(count(10.0), count(0.1))


def test_a_kernel_of_zeros_has_a_solution():
    problem, K = draw()
    for data in (Spectral.of_kernel(0 * K), Spectral.of_features(np.zeros((120, 2)))):
        (found,) = Splitting(data, 1e-3).solve([problem], Stop(1e-3, 100))
        assert found.status is Status.CONVERGED and not found.scores.any()
    assert first_penalty(1.0, 0.0) > 0


def test_penalties_within_a_factor_of_nine_share_one():
    wanted = [9.0, 1.0, 27.0, 3.0, 300.0]
    assert shared_penalties(wanted) == pytest.approx([3.0, 3.0, 27.0, 3.0, 300.0])
    # The one held serves those within a factor of three.
    assert shared_penalties(wanted, 100.0) == pytest.approx([3.0, 3.0, 27.0, 3.0, 100.0])


def test_precision_is_as_low_as_the_tolerance_allows():
    K = np.eye(2000)
    low, high = np.float32, np.float64

    def precisions(rho, tol, rows=2000):
        data = Counted(K[:rows, :rows])
        object.__setattr__(data, "largest", lambda: 1000.0)
        object.__setattr__(data, "remainder", lambda: 10.0)
        machine = Splitting(data, tol)
        machine._operator(machine.order_for(rho))
        return data.asked[0][1:]

    assert precisions(1.0, 1e-3) == (low, False)
    assert precisions(100.0, 1e-3) == (low, True)  # The leading part stands in float64.
    assert precisions(1e6, 1e-3) == (high, False)
    assert precisions(1.0, 1e-6) == (high, False)
    assert precisions(1.0, 1e-3, rows=100) == (high, False)
