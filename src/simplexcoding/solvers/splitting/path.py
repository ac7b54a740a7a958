"""Several values of C on one factorisation."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from simplexcoding.solvers.margin import MarginProblem, Report, Solution, silent
from simplexcoding.solvers.splitting.iteration import (
    Stop,
    in_step,
    operator,
    order_for,
    steps,
)
from simplexcoding.solvers.splitting.penalty import race, shared
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
    done = np.zeros(len(factors))

    def step(place: int, fraction: float) -> None:
        done[place] = fraction
        report(float(done.mean()))

    penalties = shared([race(part, data, stop.tol) for part in parts])
    runs = [
        steps(
            part, data, order_for(part, data, rho, stop.tol), stop, data.price(), partial(step, k)
        )
        for k, (part, rho) in enumerate(zip(parts, penalties, strict=True))
    ]
    return in_step(runs, partial(operator, data, tol=stop.tol))
