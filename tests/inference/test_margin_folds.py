import numpy as np
import pytest

from simplexcoding.design.operators import Spectral
from simplexcoding.inference.margin_folds import fold_scores
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

FINE = Stop(1e-10, 100_000)


@pytest.mark.parametrize("loss", ["cone", "half_space", "relative", "vertex", "logistic"])
def test_scores_are_those_of_machines_without_the_fold(loss):
    rng = np.random.default_rng(0)
    y = np.arange(40) % 3
    X = rng.normal(size=(40, 3)) + rng.normal(size=(3, 3))[y]
    K = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    problem = MarginProblem(get_loss(loss), y, rng.uniform(0.2, 2, size=40), 3)
    machine = Splitting(Spectral.of_kernel(K), FINE.tol)
    (solution,) = machine.solve([problem], FINE)
    folds = [np.arange(k, 40, 4) for k in range(4)]
    found = fold_scores(machine, problem, solution, folds, FINE)
    assert found.gap <= FINE.tol
    for fold in folds:
        rest = np.setdiff1d(np.arange(40), fold)
        alone = Splitting(Spectral.of_kernel(K[np.ix_(rest, rest)]), FINE.tol)
        part = MarginProblem(problem.loss, y[rest], problem.box[rest], 3)
        (without,) = alone.solve([part], FINE)
        expected = K[np.ix_(fold, rest)] @ without.coefficients
        assert np.allclose(found.scores[fold], expected, atol=1e-4)


def test_scores_that_fell_short_say_so():
    rng = np.random.default_rng(1)
    y = np.arange(40) % 3
    A = rng.normal(size=(40, 6))
    problem = MarginProblem(get_loss("cone"), y, np.full(40, 10.0), 3)
    machine = Splitting(Spectral.of_kernel(A @ A.T), 1e-8)
    (solution,) = machine.solve([problem], Stop(1e-8, 50_000))
    folds = [np.arange(20), np.arange(20, 40)]
    assert fold_scores(machine, problem, solution, folds, Stop(1e-8, 3)).gap > 1e-8
