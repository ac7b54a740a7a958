"""Several values of C on one factorisation."""

from collections.abc import Sequence

import numpy as np

from simplexcoding.solvers.margin import MarginProblem, Report, Solution, silent
from simplexcoding.solvers.splitting.iteration import Stop, operator, splitting
from simplexcoding.solvers.splitting.penalty import race
from simplexcoding.solvers.splitting.resolvent import Data


def solve_path(
    problem: MarginProblem,
    data: Data,
    factors: Sequence[float],
    stop: Stop,
    report: Report = silent,
) -> list[Solution]:
    """Solve problem.scaled(c) for each c, each started where the one before it ended.

    rho is raced for at the geometric middle of the factors, and the operator made once.

    Parameters
    ----------
    problem : MarginProblem
    data : Gram or Features
    factors : multiples of the problem's box, in the order of the answer
    stop : Stop

    Returns
    -------
    list of Solution
    """
    middle = float(np.exp(np.mean(np.log(factors))))
    rho = race(problem.scaled(middle), data, stop.tol)
    resolvent = operator(problem, data, rho, stop.tol)
    solutions: dict[int, Solution] = {}
    start = None
    # From small C, where few rows matter to the norm, to large.
    for done, place in enumerate(np.argsort(factors)):
        part = problem.scaled(factors[place])

        def step(fraction: float, done: int = done) -> None:
            report((done + fraction) / len(factors))

        solution = splitting(part, data, resolvent, stop, start, step)
        start = solution.state
        solutions[int(place)] = solution
    return [solutions[place] for place in range(len(factors))]
