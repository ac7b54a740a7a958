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
_PATIENCE = 4


@dataclass(frozen=True)
class Stop:
    """When to stop: at a relative gap, or after so many iterations."""

    tol: float
    max_iter: int


def working_dtype(problem: MarginProblem, tol: float) -> type:
    """Dtype of the operator that reaches this tolerance.

    The hull is certified in the largest violation, which feels the operator's rounding.
    """
    small = len(problem.y) <= _SMALL
    return np.float64 if small or problem.hull or tol < 1e-4 else np.float32


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
    stalled, check = 0, 10
    for iteration in range(1, stop.max_iter + 1):
        Z = problem.prox(H, scale)
        Q = 2 * Z - H
        S = resolvent.scores(Q)
        if iteration == check or iteration == stop.max_iter:
            check = iteration + max(10, iteration // 10)
            B = centred(rho * (Q - S).astype(np.float64))
            wide = H.astype(np.float64)
            near = -rho * (wide - problem.prox(wide, scale))
            found = Solution(B, certify(problem, B, near, data.scores), iteration, ITERATIONS, H)
            report(_progress(found.gap, stop.tol, iteration / stop.max_iter))
            if found.gap <= stop.tol:
                return replace(found, status=CONVERGED)
            stalled = 0 if best is None or found.gap < 0.8 * best.gap else stalled + 1
            best = found if best is None or found.gap < best.gap else best
            if stalled >= _PATIENCE and dtype == np.float32:
                resolvent = data.resolvent(rho, np.float64)
                dtype, stalled = np.dtype(np.float64), 0
        H = H + _RELAXATION * (S - Z)
        H = H.astype(dtype, copy=False)
    assert best is not None
    return replace(best, iterations=stop.max_iter)


def _progress(gap: float, tol: float, spent: float) -> float:
    """Fraction done: how far the gap has come down from one, on a log scale."""
    fallen = np.log(min(max(gap, tol), 1.0)) / np.log(min(tol, 0.5))
    return float(max(fallen, spent))
