import numpy as np
import pytest

from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import CONVERGED, MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.path import solve_path
from simplexcoding.solvers.splitting.resolvent import Gram


def test_a_path_gives_each_its_optimum_in_the_order_asked():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 2)) + 2 * rng.normal(size=(3, 2))[y]
    data = Gram(np.exp(-0.3 * ((X[:, None] - X) ** 2).sum(axis=2)))
    problem = MarginProblem(get_loss("cone"), y, np.ones(90), 3)
    stop = Stop(1e-5, 20_000)
    together = solve_path(problem, data, [10.0, 0.1, 1.0], stop)
    for factor, solution in zip([10.0, 0.1, 1.0], together, strict=True):
        (alone,) = solve_path(problem, data, [factor], stop)
        assert solution.status == CONVERGED
        assert solution.certificate.primal == pytest.approx(alone.certificate.primal, rel=2e-5)
