"""Several values of C on one factorisation."""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from simplexcoding.solvers.margin import MarginProblem, Report, Solution, silent
from simplexcoding.solvers.splitting.iteration import Stop, in_step, operator, steps
from simplexcoding.solvers.splitting.penalty import groups, race
from simplexcoding.solvers.splitting.resolvent import Data


def solve_path(
    problem: MarginProblem,
    data: Data,
    factors: Sequence[float],
    stop: Stop,
    report: Report = silent,
) -> list[Solution]:
    """Solve problem.scaled(c) for each c, those that share an operator in step.

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
    parts = [problem.scaled(factor) for factor in factors]
    solutions: dict[int, Solution] = {}
    done = np.zeros(len(factors))

    def step(place: int, fraction: float) -> None:
        done[place] = fraction
        report(float(done.mean()))

    for rho, places in groups([race(part, data, stop.tol) for part in parts]):
        resolvent = operator(problem, data, rho, stop.tol)
        finer = cache(partial(data.resolvent, rho, np.float64))
        runs = [steps(parts[k], data, resolvent, finer, stop, partial(step, k)) for k in places]
        solutions.update(zip(places, in_step(runs), strict=True))
    return [solutions[k] for k in range(len(factors))]
