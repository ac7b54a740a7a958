import numpy as np
import pytest

from simplexcoding.design.operators import Gram
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem, feasible
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting
from simplexcoding.solvers.splitting.pace import balanced_penalty
from simplexcoding.solvers.splitting.sample import Sample
from simplexcoding.solvers.splitting.working_set import restricted, start_on

N, T = 160, 4
LOSSES = [get_loss(name) for name in ("cone", "half_space", "relative", "vertex", "logistic")]
STOP = Stop(1e-9, 100_000)


class Never(Gram):
    """A kernel matrix that is never factorised as a whole."""

    def resolvent(self, rho, dtype, deflated=False):
        raise AssertionError("the whole operator was asked for")


def draw(loss="cone"):
    rng = np.random.default_rng(5)
    y = np.arange(N) % T
    X = rng.normal(size=(N, 4)) + 1.5 * rng.normal(size=(T, 4))[y]
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    loss = get_loss(loss) if isinstance(loss, str) else loss
    rows = rng.uniform(size=N) < 0.4
    problem = MarginProblem(loss, y, rng.uniform(0.5, 2.0, size=N), T)
    return problem.without(np.flatnonzero(~rows)), K, rows


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_optimum_is_that_of_the_whole_operator(loss):
    problem, K, rows = draw(loss)
    costs = (0.3, 3.0)
    parts = [problem.scaled(cost) for cost in costs]
    sampled = Sample(Never(K), rows, STOP.tol).solve(parts, STOP)
    for part, found in zip(parts, sampled, strict=True):
        (whole,) = Splitting(Gram(K), STOP.tol).solve([part], STOP)
        assert found.status is Status.CONVERGED
        assert found.certificate.primal == pytest.approx(whole.certificate.primal, rel=1e-8)
        assert np.allclose(found.scores, whole.scores, atol=2e-4)  # At all rows.
        assert not found.coefficients[~rows].any() and not found.certificate.point[~rows].any()


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_the_certificate_holds_for_the_problem_as_it_was_posed(loss):
    problem, K, rows = draw(loss)
    (found,) = Sample(Gram(K), rows, 1e-3).solve([problem], Stop(1e-3, 5000))
    B, P = found.coefficients, found.certificate.point
    assert np.allclose(found.scores, K @ B)
    primal = problem.primal_value(K @ B, float(np.vdot(B, K @ B)))
    dual = problem.dual_value(feasible(problem, P), float(np.vdot(P, K @ P)))
    assert found.certificate.primal == pytest.approx(primal)
    assert found.certificate.dual == pytest.approx(dual)
    assert (primal - dual) / primal <= 1e-3


def test_a_sample_starts_where_it_ended_and_so_do_all_rows():
    problem, K, rows = draw()
    machine = Sample(Gram(K), rows, 1e-4)
    (found,) = machine.solve([problem], Stop(1e-4, 5000))
    (again,) = machine.solve([problem], Stop(1e-3, 5000), [found])
    assert again.iterations <= 10 < found.iterations
    everything = MarginProblem(problem.loss, problem.y, np.ones(N), T)
    (whole,) = Splitting(Gram(K), 1e-4).solve([everything], Stop(1e-4, 5000), [found])
    assert whole.status is Status.CONVERGED


@pytest.mark.parametrize("cost", [1.0, 30.0])
def test_the_penalty_handed_on_is_the_balanced_one_of_so_many_more_rows(cost):
    """A sample with its share of C, as the search poses it."""
    problem, K, rows = draw()
    everything = MarginProblem(problem.loss, problem.y, np.full(N, cost), T)
    sampled = everything.without(np.flatnonzero(~rows)).scaled(rows.mean())
    (found,) = Sample(Gram(K), rows, 1e-4).solve([sampled], Stop(1e-4, 5000))
    balanced = balanced_penalty(restricted(sampled, rows), start_on(found, rows).state)
    assert found.rho == pytest.approx(balanced * np.sqrt(N / rows.sum()))
    (whole,) = Splitting(Gram(K), 1e-4).solve([everything], Stop(1e-4, 5000))
    ends = balanced_penalty(everything, whole.state)
    assert 1 / 3 < found.rho / ends < 3
