import numpy as np
import pytest

from simplexcoding.arrays import centred
from simplexcoding.design.operators import Gram, Spectral
from simplexcoding.inference.free_directions import free_directions
from simplexcoding.inference.newton_without import Solved, between, inverse
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

LOSSES = {
    name: get_loss(name)
    for name in ("cone", "half_space", "relative", "vertex", "logistic", "least_squares")
}


def solved(loss, tol, seed=0, T=3, n=30):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 3)) + 2 * rng.normal(size=(T, 3))[y]
    K = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    problem = MarginProblem(LOSSES[loss], y, rng.uniform(0.5, 4, size=n), T)
    data = Spectral.of_kernel(K)
    (solution,) = Splitting(data, tol).solve([problem], Stop(tol, 50_000))
    return problem, data, solution


@pytest.mark.parametrize("loss", LOSSES)
def test_a_rough_solution_is_polished_to_the_fine_one(loss):
    problem, data, fine = solved(loss, 1e-12)
    rough = fine.scores + 1e-3 * centred(np.random.default_rng(1).normal(size=fine.scores.shape))
    machine = Solved.near(problem, data, rough, fine.certificate.point).polished()
    assert np.abs(machine.scores - fine.scores).max() < 2e-6
    assert np.abs(data.scores(machine.duals) - machine.scores).max() < 1e-8


@pytest.mark.parametrize("loss", LOSSES)
def test_rows_are_left_out_as_by_refits(loss):
    problem, data, solution = solved(loss, 1e-5)
    machine = Solved.near(problem, data, solution.scores, solution.certificate.point).polished()
    compared = 0
    for i in np.flatnonzero(machine.duals.any(axis=1))[:4]:
        found = machine.scores_without(int(i))
        (alone,) = Splitting(data, 1e-9).solve([problem.without(np.array([i]))], Stop(1e-9, 50_000))
        if found is not None:
            compared += 1
            # The objective is strongly convex: ||f - optimum||^2 <= 2 gap, and K_ii = 1.
            gap = max(alone.certificate.primal - alone.certificate.dual, 0.0)
            slack = np.sqrt(2 * gap / problem.kappa)
            assert slack < 1e-3
            assert np.abs(found - alone.scores[i]).max() < slack + 1e-8
    assert compared >= 3  # Newton's method may fail, rarely.


def test_between_is_the_kernel_along_the_directions():
    problem, data, solution = solved("cone", 1e-6)
    machine = Solved.near(problem, data, solution.scores, solution.certificate.point)
    free = free_directions(problem, machine.points)
    K = (data.U * data.s) @ data.U.T
    for a, b in [(0, 0), (0, 1), (2, 5)]:
        expected = K[free.rows[a], free.rows[b]] * (free.directions[a] @ free.directions[b])
        assert between(data, free)[a, b] == pytest.approx(expected, abs=1e-9)


def test_an_inverse_and_kernel_values_of_either_form():
    rng = np.random.default_rng(0)
    F = rng.normal(size=(8, 12))
    K = F @ F.T
    assert np.allclose(inverse(K.copy()) @ K, np.eye(8))
    assert inverse(np.empty((0, 0))).shape == (0, 0)
    rows, columns = np.array([3, 1]), np.array([0, 2, 7])
    for data in (Gram(K), Spectral.of_kernel(K)):
        assert np.allclose(data.among(rows, columns), K[np.ix_(rows, columns)])
