"""Several values of C on one factorisation."""

from collections.abc import Sequence
from functools import cache, partial

import numpy as np

from simplexcoding.solvers.margin import MarginProblem, Report, Solution, silent
from simplexcoding.solvers.splitting.iteration import Stop, in_step, operator, steps
from simplexcoding.solvers.splitting.penalty import race
from simplexcoding.solvers.splitting.resolvent import Data, Resolvent


def solve_path(
    problem: MarginProblem,
    data: Data,
    factors: Sequence[float],
    stop: Stop,
    report: Report = silent,
) -> list[Solution]:
    """Solve problem.scaled(c) for each c on one operator, all of them in step.

    rho is raced for at the geometric middle of the factors.

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
    done = np.zeros(len(factors))

    @cache
    def finer() -> Resolvent:
        return data.resolvent(rho, np.float64)

    def part(place: int, fraction: float) -> None:
        done[place] = fraction
        report(float(done.mean()))

    return in_step(
        [
            steps(problem.scaled(factor), data, resolvent, finer, stop, partial(part, place))
            for place, factor in enumerate(factors)
        ]
    )
