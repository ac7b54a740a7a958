"""Relaxed Douglas-Rachford splitting between the norm of f and the losses of its scores."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from simplexcoding.arrays import Floats, centred
from simplexcoding.solvers.margin import (
    CONVERGED,
    ITERATIONS,
    MarginProblem,
    Report,
    Solution,
    certify,
    dual_value,
    feasible,
    silent,
)
from simplexcoding.solvers.splitting.balance import FACTOR, Iterate, growth
from simplexcoding.solvers.splitting.pace import Pace
from simplexcoding.solvers.splitting.resolvent import Data, Resolvent

_RELAXATION = 1.9
# Rows fewer than this are worth no rounding: everything in float64.
_SMALL = 1500
_PATIENCE = 4
# A penalty that grows for ever need not converge.
_MOST_POWERS = 6
# Rounding above this multiple of the tolerance is felt.
_TELLS = 1.0
# Above this one it spoils the iteration.
_SPOILS = 100.0


@dataclass(frozen=True)
class Stop:
    """When to stop: at a relative gap, or after so many iterations."""

    tol: float
    max_iter: int


def rounding(data: Data, rho: float) -> float:
    """Error of the scores of B = rho (Q - A Q) when float32 made it, relative to them."""
    return rho * data.largest() * float(np.finfo(np.float32).eps)


class Order(NamedTuple):
    """An operator that an iteration wants: its penalty and the dtype of its products."""

    rho: float
    dtype: Any


def order_for(problem: MarginProblem, data: Data, rho: float, tol: float) -> Order:
    """Order with products of the least precision that serves this tolerance.

    Float32 halves the time of an iteration, and its rounding can be refined away until it
    leads the iterations themselves astray.
    """
    exact = len(problem.y) <= _SMALL or tol < 1e-4 or rounding(data, rho) > _SPOILS * tol
    return Order(rho, np.float64 if exact else np.float32)


def operator(data: Data, order: Order, tol: float) -> Resolvent:
    """Operator whose inverse is precise enough for this tolerance.

    The rounding of an inverse taken in float32 cannot be refined away: where it tells, the
    inverse is taken in float64 and then rounded.
    """
    coarse = order.dtype == np.float32 and rounding(data, order.rho) > _TELLS * tol
    return data.resolvent(order.rho, order.dtype, np.float64 if coarse else order.dtype)


# An iteration hands out its order and what to apply it to, and is sent A Q and Q - A Q.
Steps = Generator[tuple[Order, Floats], tuple[Floats, Floats], Solution]


def splitting(
    problem: MarginProblem, data: Data, order: Order, stop: Stop, report: Report = silent
) -> Solution:
    """Minimise 1/2 ||f||^2 + sum_i box_i V(u_i, y_i) with one penalty; see `steps`."""
    run = steps(problem, data, order, stop, price=np.inf, report=report)
    return in_step([run], partial(operator, data, tol=stop.tol))[0]


def in_step(runs: Sequence[Steps], build: Callable[[Order], Resolvent]) -> list[Solution]:
    """Run several problems at once, so that one pass over an operator serves them all.

    A thin product takes the time of reading the operator, whatever its width. One operator
    is held at a time: runs that want another wait until nobody wants this one.
    """
    solutions: dict[int, Solution] = {}
    asked = {k: next(run) for k, run in enumerate(runs)}
    while asked:
        resolvent = None  # The last one makes room.
        order = next(iter(asked.values()))[0]
        resolvent = build(order)
        while places := [k for k, (wanted, _) in asked.items() if wanted == order]:
            blocks = [asked[k][1] for k in places]
            cuts = np.cumsum([block.shape[1] for block in blocks])[:-1]
            S, rest = resolvent.split(np.hstack(blocks) if len(blocks) > 1 else blocks[0])
            parts = zip(np.split(S, cuts, axis=1), np.split(rest, cuts, axis=1), strict=True)
            for k, part in zip(places, parts, strict=True):
                try:
                    asked[k] = runs[k].send(part)
                except StopIteration as end:
                    solutions[k] = end.value
                    del asked[k]
    return [solutions[k] for k in range(len(runs))]


def steps(
    problem: MarginProblem,
    data: Data,
    order: Order,
    stop: Stop,
    price: float,
    report: Report = silent,
) -> Steps:
    """The iterations of one problem, which ask others for their products.

    With H the state, Z = prox(H) and Q = 2 Z - H, the scores are S = A Q, those of
    B = rho (Q - S), and H moves by 1.9 (S - Z). -rho (H - Z) is dual feasible, and sparse
    where the loss is flat. The gap of the two is taken in float64 (see `certify`), at the
    price of two products with K, when the gaps so far say that it may be due. B alone must
    reach the tolerance too, so that `coefficients` tell everything.

    Where the rounding of float32 tells, or the gap stops falling, B is refined at every
    check. If that does not help, the order changes to float64, once. It changes to a larger
    rho, a few times at most, where that saves more iterations than `price`, what an
    operator costs; Z and the dual point rho (H - Z) stay.
    """
    first, scale = order.rho, 1 / (problem.kappa * order.rho)
    H = Z = np.zeros((len(problem.y), problem.n_classes), order.dtype)
    pace, power, refining = Pace(stop.tol), 0, False
    best: Solution | None = None
    for iteration in range(1, stop.max_iter + 1):
        before, Z = Z, problem.prox(H, scale)
        Q = 2 * Z - H
        S, rest = yield order, Q
        changed = order
        if iteration in (pace.check, stop.max_iter):
            coarse = order.dtype == np.float32
            refining = refining or pace.stalled > 0 or rounding(data, order.rho) > _TELLS * stop.tol
            if coarse and refining:
                # K multiplies the rounding of B by its largest eigenvalue, and under the hull
                # one row outside it is enough to spoil the certificate.
                rest = rest.astype(np.float64)
                residual = Q - rest - order.rho * data.scores(rest)
                rest = rest + (yield order, residual.astype(order.dtype))[1]
            B = centred(order.rho * rest.astype(np.float64))
            wide = H.astype(np.float64)
            near = -order.rho * (wide - problem.prox(wide, scale))
            found = Solution(*certify(problem, B, near, data.scores), iteration, ITERATIONS)
            report(_progress(found.gap, stop.tol, iteration / stop.max_iter))
            if found.gap <= stop.tol and _alone(problem, found, data) <= stop.tol:
                return replace(found, status=CONVERGED)
            best = found if best is None or found.gap < best.gap else best
            pace.note(iteration, found.gap)
            wanted = power + growth(Iterate(H, Z, before, S), pace.left, price)
            grown = min(wanted, _MOST_POWERS)
            if grown > power:
                power = grown
                changed = order_for(problem, data, first * FACTOR**power, stop.tol)
                changed = changed if coarse else changed._replace(dtype=np.float64)
            elif coarse and pace.stalled >= _PATIENCE:
                changed = order._replace(dtype=np.float64)
        H = H + _RELAXATION * (S - Z)
        if changed != order:
            pace.restart(iteration, found.gap)
            Z = problem.prox(H, scale)
            H = (Z + order.rho / changed.rho * (H - Z)).astype(changed.dtype)
            order, scale = changed, 1 / (problem.kappa * changed.rho)
    assert best is not None
    return replace(best, iterations=stop.max_iter)


def _alone(problem: MarginProblem, found: Solution, data: Data) -> float:
    """Gap with the dual point read off the coefficients themselves."""
    point = feasible(problem, found.coefficients)
    dual = dual_value(problem, point, data.scores(point))
    return (found.certificate.primal - dual) / max(found.certificate.primal, 1e-300)


def _progress(gap: float, tol: float, spent: float) -> float:
    """Fraction done: how far the gap has come down from one, on a log scale."""
    fallen = np.log(min(max(gap, tol), 1.0)) / np.log(min(tol, 0.5))
    return float(max(fallen, spent))
