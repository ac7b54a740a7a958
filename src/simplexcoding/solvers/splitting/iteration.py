"""Relaxed Douglas-Rachford splitting between the norm of f and the losses of its scores."""

from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from simplexcoding.arrays import Floats, centred
from simplexcoding.design.operators import Data
from simplexcoding.solvers.margin import (
    MarginProblem,
    MarginSolution,
    State,
    certify,
    dual_point,
    feasible,
    relative_gap,
)
from simplexcoding.solvers.solution import Report, Status, silent
from simplexcoding.solvers.splitting.acceleration import Acceleration
from simplexcoding.solvers.splitting.pace import Pace, balanced_penalty

_RELAXATION = 1.9
# Looks at a gap that has not fallen before products are made in float64.
_PATIENCE = 4
# Rounding above this multiple of the tolerance keeps the leading part of the kernel in float64.
_DEFLATED_ROUNDING = 5.0


@dataclass(frozen=True)
class Stop:
    """When to stop: at a relative gap, or after so many iterations."""

    tol: float
    max_iter: int


class Order(NamedTuple):
    """An operator that an iteration wants: its penalty and the dtype of its products."""

    rho: float
    dtype: Any


class Anchor(NamedTuple):
    """Coefficients B and their scores S = K B in float64: A Q is known for Q = S + B / rho.

    There A Q = S and Q - A Q = B / rho, whatever rho is. Elsewhere the operator need only serve
    the way from there, and its rounding goes as that does.
    """

    B: Floats
    S: Floats


# An iteration hands out its order and what to apply it to, and is sent A Q and Q - A Q. Where
# the order is None it is sent the product with K itself, in float64.
Request = tuple[Order | None, Floats]
Steps = Generator[Request, tuple[Floats, ...], MarginSolution]


def deflated(data: Data, rho: float, tol: float) -> bool:
    """Whether float32 must be kept from the leading part of the kernel."""
    return not data.any_penalty and _rounded(data.largest(), rho) > _DEFLATED_ROUNDING * tol


def rounding(data: Data, rho: float, tol: float) -> float:
    """Error of the scores of B = rho (Q - A Q) when float32 made it, relative to them."""
    width = data.remainder() if deflated(data, rho, tol) else data.largest()
    return _rounded(width, rho)


def _rounded(width: float, rho: float) -> float:
    return rho * width * float(np.finfo(np.float32).eps)


def steps(
    problem: MarginProblem,
    data: Data,
    order_for: Callable[[float], Order],
    rho: float,
    stop: Stop,
    start: State | None = None,
    report: Report = silent,
) -> Steps:
    """The iterations of one problem, which ask others for their products.

    With H the state, Z = prox(H) and Q = 2 Z - H, the scores are S = A Q, those of
    B = rho (Q - S), and H moves by 1.9 (S - Z), accelerated. -rho (H - Z) is dual feasible,
    and sparse where the loss is flat. The gap of the two is taken in float64 (see
    `certify`), at the price of a product with K, when the gaps so far say that it may be
    due. B alone must reach the tolerance too, so that `coefficients` tell everything.

    A product in float32 is one with what Q has moved since the last check, whose scores are
    known in float64: its rounding goes to zero with the steps. If the gap stops falling
    nevertheless the order changes to float64, once. It changes to another rho where that
    saves more iterations than a new operator costs; Z and the multipliers D = rho (H - Z)
    stay. `order_for` gives the order of a penalty.
    """
    order = order_for(rho)
    H = np.zeros((len(problem.y), problem.n_classes), order.dtype)
    if start is not None:
        H = (start.Z + start.D / order.rho).astype(order.dtype)
    scale = 1 / (problem.kappa * order.rho)
    pace, acceleration = Pace(stop.tol, data.price()), Acceleration(dtype=order.dtype)
    best: MarginSolution | None = None
    anchor: Anchor | None = None
    for iteration in range(1, stop.max_iter + 1):
        Z = problem.prox(H, scale)
        S, rest = yield from split_at(order, 2 * Z - H, anchor)
        changed = order
        if iteration in (pace.check, stop.max_iter):
            found = yield from _solution(problem, data, order.rho, H, rest, iteration)
            report(_progress(found.gap, stop.tol, iteration / stop.max_iter))
            if found.gap <= stop.tol and (yield from _alone(problem, found)) <= stop.tol:
                return replace(found, status=Status.CONVERGED)
            best = found if best is None or found.gap < best.gap else best
            pace.note(iteration, found.gap)
            rho = pace.penalty(iteration, order.rho, balanced_penalty(problem, found.state))
            stuck = rho == order.rho and pace.stalled >= _PATIENCE
            changed = order if rho == order.rho else order_for(rho)
            if stuck or order.dtype == np.float64:
                changed = changed._replace(dtype=np.float64)
            if changed.dtype == np.float32:
                anchor = Anchor(found.coefficients, found.scores)
                H = H.astype(np.float64)
            else:
                anchor = None
        H = acceleration.step(H, _RELAXATION * (S - Z))
        if changed != order:
            acceleration.forget()
            pace.restart(iteration, found.gap)
            Z = problem.prox(H, scale)
            # A gap has been taken: the state is in float64 from there on.
            H = (Z + order.rho / changed.rho * (H - Z)).astype(np.float64)
            order, scale = changed, 1 / (problem.kappa * changed.rho)
    assert best is not None
    return replace(best, iterations=stop.max_iter)


def split_at(order: Order, Q: Floats, anchor: Anchor | None) -> Generator[Request, Any, Any]:
    """A Q and Q - A Q, from those of an anchor where there is one."""
    if anchor is None:
        return (yield order, Q)
    known = anchor.B / order.rho
    S, rest = yield order, (Q - anchor.S - known).astype(order.dtype)
    return anchor.S + S, known + rest


def _solution(
    problem: MarginProblem, data: Data, rho: float, H: Floats, rest: Floats, iteration: int
) -> Steps:
    """What an iteration has come to, its certificate in float64."""
    B = centred(rho * rest.astype(np.float64))
    wide = H.astype(np.float64)
    Z = problem.prox(wide, 1 / (problem.kappa * rho))
    D = rho * (wide - Z)
    point = dual_point(problem, B, -D)
    (scores,) = yield None, np.hstack([B, point])
    S, point_scores = np.hsplit(scores, 2)
    certified = certify(problem, B, S, point, point_scores)
    # Scores are sums of K_ij B_j, and the objective one of scores times boxes and duals.
    size = max(float(np.linalg.norm(B)) for B in (certified[0], point))
    rounded = float(np.finfo(np.float64).eps) * float(data.diagonal().max()) * size
    rounded *= float(np.linalg.norm(problem.box)) + size
    return MarginSolution(*certified, iteration, Status.ITERATIONS, State(Z, D), rho, rounded)


def _alone(
    problem: MarginProblem, found: MarginSolution
) -> Generator[Request, tuple[Floats, ...], float]:
    """Gap with the dual point read off the coefficients themselves."""
    point = feasible(problem, found.coefficients)
    (scores,) = yield None, point
    dual = problem.dual_value(point, float(np.vdot(point, scores)))
    return relative_gap(found.certificate.primal, dual)


def _progress(gap: float, tol: float, spent: float) -> float:
    """Fraction done: how far the gap has come down from one, on a log scale."""
    fallen = np.log(min(max(gap, tol), 1.0)) / np.log(min(tol, 0.5))
    return float(max(fallen, spent))
