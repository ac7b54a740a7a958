"""Relaxed Douglas-Rachford splitting between the norm of f and the losses of its scores."""

from dataclasses import dataclass, replace

import numpy as np

from simplexcoding.arrays import Floats, centred
from simplexcoding.solvers.margin import (
    CONVERGED,
    ITERATIONS,
    MarginProblem,
    Report,
    Solution,
    certify,
    silent,
)
from simplexcoding.solvers.splitting.resolvent import Data, Resolvent

_RELAXATION = 1.7
# Rows fewer than this are worth no rounding: everything in float64.
_SMALL = 1500
_PATIENCE = 6


@dataclass(frozen=True)
class Stop:
    """When to stop: at a relative gap, or after so many iterations."""

    tol: float
    max_iter: int


def operator(problem: MarginProblem, data: Data, rho: float, tol: float) -> Resolvent:
    """Operator of the least precision that reaches this tolerance.

    Products in float32 halve the time of an iteration. An inverse taken in float32 is off
    by rho times the largest eigenvalue of K: too much under the hull, whose certificate is
    the largest violation of all rows, so there it is taken in float64 and rounded.
    """
    if len(problem.y) <= _SMALL or tol < 1e-4:
        return data.resolvent(rho, np.float64)
    return data.resolvent(rho, np.float32, np.float64 if problem.hull else np.float32)


def splitting(
    problem: MarginProblem,
    data: Data,
    resolvent: Resolvent,
    stop: Stop,
    start: Floats | None = None,
    report: Report = silent,
) -> Solution:
    """Minimise 1/2 ||f||^2 + sum_i box_i V(u_i, y_i) on one resolvent.

    With H the state, Z = prox(H) and Q = 2 Z - H, the scores are S = A Q, those of
    B = rho (Q - S), and H moves by 1.7 (S - Z). -rho (H - Z) is dual feasible, and sparse
    where the loss is flat. Every tenth of the way the gap of the two is taken in float64
    (see `certify`), at the price of two products with K.

    A float32 operator whose gap stops falling gives way to a float64 one, once.
    """
    rho, dtype = resolvent.rho, resolvent.dtype
    scale = 1 / (problem.kappa * rho)
    shape = (len(problem.y), problem.n_classes)
    H = np.zeros(shape, dtype) if start is None else start.astype(dtype)
    best: Solution | None = None
    mark, stalled, check = np.inf, 0, 10
    for iteration in range(1, stop.max_iter + 1):
        Z = problem.prox(H, scale)
        Q = 2 * Z - H
        S, rest = resolvent.split(Q)
        if iteration == check or iteration == stop.max_iter:
            check = iteration + max(10, iteration // 10)
            B = centred(rho * rest.astype(np.float64))
            wide = H.astype(np.float64)
            near = -rho * (wide - problem.prox(wide, scale))
            found = Solution(B, certify(problem, B, near, data.scores), iteration, ITERATIONS, H)
            report(_progress(found.gap, stop.tol, iteration / stop.max_iter))
            if found.gap <= stop.tol:
                return replace(found, status=CONVERGED)
            stalled += 1
            if found.gap < 0.8 * mark:
                mark, stalled = found.gap, 0
            best = found if best is None or found.gap < best.gap else best
            if stalled >= _PATIENCE and dtype == np.float32:
                resolvent = data.resolvent(rho, np.float64)
                dtype, stalled = np.dtype(np.float64), 0
        move = _RELAXATION * (S - Z)
        H = H + move
        H = H.astype(dtype, copy=False)
    assert best is not None
    return replace(best, iterations=stop.max_iter)


def _progress(gap: float, tol: float, spent: float) -> float:
    """Fraction done: how far the gap has come down from one, on a log scale."""
    fallen = np.log(min(max(gap, tol), 1.0)) / np.log(min(tol, 0.5))
    return float(max(fallen, spent))
