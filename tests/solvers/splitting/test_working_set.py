import numpy as np
import pytest

from simplexcoding.design.operators import Gram
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem, feasible
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.splitting import working_set
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting
from simplexcoding.solvers.splitting.working_set import WorkingSet, needed, restricted

N, T = 240, 4
LOSSES = [get_loss(name) for name in ("cone", "half_space", "relative", "vertex", "logistic")]
LOSSES.append(get_loss("half_space").without_hull())


@pytest.fixture(autouse=True)
def few_rows_are_enough(monkeypatch):
    monkeypatch.setattr(working_set, "_FEWEST_ROWS", 10)


class Counted(Gram):
    """A kernel matrix that notes of how many rows a part was asked for."""

    asked = ()

    def part(self, rows):
        object.__setattr__(self, "asked", (*self.asked, int(rows.sum())))
        return super().part(rows)


class Never(Gram):
    """A kernel matrix that is never factorised as a whole."""

    def resolvent(self, rho, dtype, deflated=False):
        raise AssertionError("the whole operator was asked for")


def draw(loss="relative", spread=2.0):
    rng = np.random.default_rng(3)
    y = np.arange(N) % T
    X = rng.normal(size=(N, 4)) + spread * rng.normal(size=(T, 4))[y]
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    loss = get_loss(loss) if isinstance(loss, str) else loss
    return MarginProblem(loss, y, rng.uniform(0.5, 2.0, size=N), T), K


def recomputed(problem, K, found):
    """Primal and dual values from the definitions."""
    B, P = found.coefficients, found.certificate.point
    half, kappa = 0.5 * problem.kappa, problem.kappa
    used = problem.box > 0
    box, y = problem.box[used], problem.y[used]
    primal = half * np.vdot(B, K @ B) + box @ problem.loss.value((K @ B)[used], y)
    conjugates = problem.loss.conjugate(-kappa * P[used] / box[:, None], y)
    assert not P[~used].any()
    return primal, -half * np.vdot(P, K @ P) - box @ conjugates


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("held", [0, 48])
@pytest.mark.parametrize("C", [0.3, 10.0])
def test_the_solution_is_that_of_all_rows(loss, held, C):
    """Over losses, weights, costs and rows set aside, the values agree within the gap."""
    problem, K = draw(loss)
    problem = problem.without(np.arange(held)).scaled(C)
    stop = Stop(1e-6, 50_000)
    (whole,) = Splitting(Gram(K), 1e-6).solve([problem], stop)
    (found,) = WorkingSet(Gram(K), 1e-6).solve([problem], stop)
    assert found.status is Status.CONVERGED and found.gap <= 1e-6
    primal, dual = recomputed(problem, K, found)
    assert found.certificate.primal == pytest.approx(primal, rel=1e-12)
    assert found.certificate.dual == pytest.approx(dual, rel=1e-10)
    assert found.certificate.primal == pytest.approx(whole.certificate.primal, rel=2e-6)
    assert np.allclose(found.scores, K @ found.coefficients)
    assert np.allclose(found.scores, whole.scores, atol=0.02)


@pytest.mark.parametrize("loss", ["relative", "vertex", "cone"])
def test_rows_without_multiplier_need_no_factorisation(loss):
    problem, K = draw(loss, spread=4.0)
    data = Never(K)
    costs = (3.0, 10.0)
    found = WorkingSet(data, 1e-3).solve([problem.scaled(C) for C in costs], Stop(1e-3, 5000))
    for C, solution in zip(costs, found, strict=True):
        assert solution.status is Status.CONVERGED
        primal, dual = recomputed(problem.scaled(C), K, solution)
        assert (primal - dual) / primal <= 1e-3
        inside = solution.coefficients.any(axis=1)
        assert inside.mean() <= 0.75
        assert (needed(problem.scaled(C), solution) & ~inside).sum() <= 0.05 * N


def test_coefficients_alone_certify_the_gap():
    """The dual point may be read off the coefficients, as on all rows."""
    problem, K = draw("cone", spread=4.0)
    (found,) = WorkingSet(Never(K), 1e-3).solve([problem.scaled(10.0)], Stop(1e-3, 5000))
    P = feasible(problem.scaled(10.0), found.coefficients)
    dual = -0.5 * problem.kappa * np.vdot(P, K @ P) - problem.scaled(10.0).conjugates(P).sum()
    assert (found.certificate.primal - dual) / found.certificate.primal <= 1e-3


def test_rows_that_a_start_has_missed_join():
    """A start that knows of no multiplier beyond a few rows is no obstacle."""
    problem, K = draw(spread=4.0)
    problem = problem.scaled(10.0)
    some = np.arange(N) < 40
    (start,) = Splitting(Gram(K[np.ix_(some, some)]), 1e-3).solve(
        [restricted(problem, some)], Stop(1e-2, 5000)
    )
    wide = working_set.continued(start, some)
    start = working_set.widened(problem, wide, some, K @ wide.coefficients, 0)
    data = Counted(K)
    (found,) = WorkingSet(data, 1e-5).solve([problem], Stop(1e-5, 50_000), [start])
    assert len(data.asked) > 1 and max(data.asked) < N
    (whole,) = Splitting(Gram(K), 1e-5).solve([problem], Stop(1e-5, 50_000))
    assert found.certificate.primal == pytest.approx(whole.certificate.primal, rel=2e-5)


def test_a_fit_after_a_search_uses_its_part_again():
    problem, K = draw(spread=4.0)
    data = Counted(K)
    machine = WorkingSet(data, 1e-3)
    (found,) = machine.solve([problem.scaled(10.0)], Stop(1e-2, 5000))
    before = data.asked
    (finer,) = machine.solve([problem.scaled(10.0)], Stop(1e-3, 5000), [found])
    assert data.asked == before and finer.gap <= 1e-3


def test_where_iterations_run_out_it_says_so():
    problem, K = draw(spread=4.0)
    (found,) = WorkingSet(Gram(K), 1e-9).solve([problem.scaled(10.0)], Stop(1e-9, 25))
    assert found.status is Status.ITERATIONS
    primal, dual = recomputed(problem.scaled(10.0), K, found)
    assert found.gap == pytest.approx((primal - dual) / primal, rel=1e-6)
