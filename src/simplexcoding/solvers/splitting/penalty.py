"""The penalty rho of the splitting, found by a race on a few rows."""

from collections.abc import Sequence

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.splitting.balance import FACTOR
from simplexcoding.solvers.splitting.iteration import Order, Stop, splitting
from simplexcoding.solvers.splitting.resolvent import Data

_ROWS = 400
_LAPS = 60
_STEPS = 12


def race(problem: MarginProblem, data: Data, tol: float) -> float:
    """Return rho with which the splitting converges fast on this problem.

    On m rows drawn evenly from the classes, with C_0 times n/m so that lambda stays, the
    gap after sixty iterations is a function of log rho with one valley: walk down it by
    factors of three. Back on n rows rho is divided by sqrt(n/m): the smooth part of the
    spectrum grows with n, the diagonal part does not, and this is half way between. Under
    the hull it stays: the multiplier of a row is set by its own constraint, not by C_0.

    The walk visits powers of three over the mean of the kernel's diagonal, the same for
    every C_0, so that several of them may end at one rho.
    """
    n = len(problem.y)
    chosen = _even_sample(problem.y, min(n, _ROWS))
    share = n / len(chosen)
    sample = problem.rows(chosen).scaled(share)
    part = data.rows(chosen)
    width = part.mean_diagonal()
    if width <= 0:
        return 1.0
    unit = np.sqrt(share) / width
    gaps: dict[int, float] = {}

    def gap(step: int) -> float:
        if step not in gaps:
            order = Order(unit * FACTOR**step, np.float64)
            gaps[step] = splitting(sample, part, order, Stop(tol, _LAPS)).merit(tol)
        return gaps[step]

    least = min(1.0, float(np.median(problem.box)) * width)
    start = here = round(np.log(least) / np.log(FACTOR))
    direction = 1 if gap(here + 1) < gap(here) else -1
    while abs(here - start) < _STEPS and gap(here + direction) < gap(here):
        here += direction
    back = 1.0 if problem.hull else np.sqrt(share)
    return float(unit * FACTOR**here / back)


def shared(penalties: Sequence[float]) -> list[float]:
    """Each penalty moved to one that it shares with others near it.

    A group spans a factor of nine and takes its geometric middle: a rho three times off
    costs less than another factorisation.
    """
    found = list(penalties)
    waiting = sorted(range(len(penalties)), key=lambda k: penalties[k])
    while waiting:
        least = penalties[waiting[0]]
        near = [k for k in waiting if penalties[k] <= least * FACTOR**2 * 1.01]
        for k in near:
            found[k] = float(np.sqrt(least * penalties[near[-1]]))
        waiting = waiting[len(near) :]
    return found


def _even_sample(y: Indices, size: int) -> Indices:
    """Rows that keep the shares of the classes, spread evenly over the data; no draw."""
    order = np.argsort(y, kind="stable")
    return np.sort(order[np.linspace(0, len(y) - 1, size).astype(np.intp)])
