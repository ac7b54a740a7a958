import numpy as np
import pytest

from reference import margin as reference
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import CONVERGED, ITERATIONS, MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop, in_step, operator, splitting, steps
from simplexcoding.solvers.splitting.resolvent import Gram


def draw(n=30, T=3):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    K = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    return MarginProblem(get_loss("cone"), rng.integers(T, size=n), np.ones(n), T), Gram(K)


@pytest.mark.parametrize("rho", [0.1, 1.0, 10.0])
def test_every_penalty_finds_the_same_optimum(rho):
    problem, data = draw()
    fractions = []
    resolvent = data.resolvent(rho, np.float64)
    found = splitting(problem, data, resolvent, Stop(1e-6, 20_000), report=fractions.append)
    best = reference.optimum("cone", data.K, problem.y, problem.box, 3)
    assert found.status == CONVERGED and found.gap <= 1e-6
    assert found.certificate.primal == pytest.approx(best, rel=1e-5)
    assert all(0 <= fraction <= 1 for fraction in fractions)


def test_a_float32_operator_gives_way_where_it_stalls():
    problem, data = draw()
    coarse = data.resolvent(1.0, np.float32)
    found = splitting(problem, data, coarse, Stop(1e-9, 20_000))
    assert found.status == CONVERGED and found.gap <= 1e-9


def test_the_bound_on_iterations_is_a_status():
    problem, data = draw()
    found = splitting(problem, data, data.resolvent(1.0, np.float64), Stop(1e-9, 7))
    assert found.status == ITERATIONS and found.iterations == 7 and found.gap > 1e-9


def test_problems_in_step_end_as_they_would_alone():
    problem, data = draw()
    resolvent, stop = data.resolvent(1.0, np.float64), Stop(1e-6, 20_000)
    easy, hard = problem.scaled(0.1), problem.scaled(5.0)

    def finer():
        raise AssertionError("float64 has no finer")

    runs = [steps(part, data, resolvent, finer, stop) for part in (hard, easy)]
    for part, found in zip((hard, easy), in_step(runs), strict=True):
        alone = splitting(part, data, resolvent, stop)
        assert found.iterations == alone.iterations
        assert np.allclose(found.coefficients, alone.coefficients, atol=1e-12)


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
    assert operator(many, Recorder(), 1.0, 1e-3) == (low, low)
    assert operator(many, Recorder(), 100.0, 1e-3) == (low, high)
    assert operator(many, Recorder(), 1.0, 1e-6) == (high, high)
    assert operator(few, Recorder(), 1.0, 1e-3) == (high, high)
