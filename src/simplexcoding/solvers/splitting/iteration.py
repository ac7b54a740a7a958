"""Relaxed Douglas-Rachford splitting between the norm of f and the losses of its scores."""

from collections.abc import Callable, Generator, Sequence
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
    dual_value,
    feasible,
    silent,
)
from simplexcoding.solvers.splitting.resolvent import Data, Resolvent

_RELAXATION = 1.9
_FIRST_CHECK = 10
# Rows fewer than this are worth no rounding: everything in float64.
_SMALL = 1500
_PATIENCE = 4
# Rounding above this multiple of the tolerance is felt.
_TELLS = 1.0


@dataclass(frozen=True)
class Stop:
    """When to stop: at a relative gap, or after so many iterations."""

    tol: float
    max_iter: int


def rounding(data: Data, rho: float) -> float:
    """Error of the scores of B = rho (Q - A Q) when float32 made it, relative to them."""
    return rho * data.largest() * float(np.finfo(np.float32).eps)


def operator(problem: MarginProblem, data: Data, rho: float, tol: float) -> Resolvent:
    """Operator of the least precision that reaches this tolerance.

    Products in float32 halve the time of an iteration, and their rounding can be refined
    away. That of an inverse taken in float32 cannot: where it tells, the inverse is taken
    in float64 and then rounded.
    """
    if len(problem.y) <= _SMALL or tol < 1e-4:
        return data.resolvent(rho, np.float64)
    coarse = rounding(data, rho) > _TELLS * tol
    return data.resolvent(rho, np.float32, np.float64 if coarse else np.float32)


# An iteration hands out the operator it wants and what to apply it to, and is sent A Q, Q - A Q.
Steps = Generator[tuple[Resolvent, Floats], tuple[Floats, Floats], Solution]


def splitting(
    problem: MarginProblem, data: Data, resolvent: Resolvent, stop: Stop, report: Report = silent
) -> Solution:
    """Minimise 1/2 ||f||^2 + sum_i box_i V(u_i, y_i) on one resolvent; see `steps`."""

    def finer() -> Resolvent:
        return data.resolvent(resolvent.rho, np.float64)

    return in_step([steps(problem, data, resolvent, finer, stop, report)])[0]


def in_step(runs: Sequence[Steps]) -> list[Solution]:
    """Run several problems at once, so that one pass over an operator serves them all.

    A thin product takes the time of reading the operator, whatever its width.
    """
    solutions: dict[int, Solution] = {}
    asked = {k: next(run) for k, run in enumerate(runs)}
    while asked:
        operators = {id(resolvent): resolvent for resolvent, _ in asked.values()}
        for key, resolvent in operators.items():
            places = [k for k, (wanted, _) in asked.items() if id(wanted) == key]
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
    resolvent: Resolvent,
    finer: Callable[[], Resolvent],
    stop: Stop,
    report: Report = silent,
) -> Steps:
    """The iterations of one problem, which ask others for their products.

    With H the state, Z = prox(H) and Q = 2 Z - H, the scores are S = A Q, those of
    B = rho (Q - S), and H moves by 1.9 (S - Z). -rho (H - Z) is dual feasible, and sparse
    where the loss is flat. The gap of the two is taken in float64 (see `certify`), at the
    price of two products with K, when the gaps so far say that it may be due. B alone must
    reach the tolerance too, so that `coefficients` tell everything.

    Where the rounding of float32 tells, or the gap stops falling, B is refined at every
    check. If that does not help, the operator gives way to the finer one, once.
    """
    rho, dtype = resolvent.rho, resolvent.dtype
    scale = 1 / (problem.kappa * rho)
    shape = (len(problem.y), problem.n_classes)
    H = np.zeros(shape, dtype)
    best: Solution | None = None
    mark, stalled, check, refining = (0, np.inf), 0, _FIRST_CHECK, False
    if dtype == np.float32:
        refining = rounding(data, rho) > _TELLS * stop.tol
    for iteration in range(1, stop.max_iter + 1):
        Z = problem.prox(H, scale)
        Q = 2 * Z - H
        S, rest = yield resolvent, Q
        if iteration == check or iteration == stop.max_iter:
            refining = refining or stalled > 0
            if refining and dtype == np.float32:
                rest = _refined(rest, Q, resolvent, data)
            B = centred(rho * rest.astype(np.float64))
            wide = H.astype(np.float64)
            near = -rho * (wide - problem.prox(wide, scale))
            found = Solution(B, certify(problem, B, near, data.scores), iteration, ITERATIONS)
            report(_progress(found.gap, stop.tol, iteration / stop.max_iter))
            if found.gap <= stop.tol and _alone(problem, found, data) <= stop.tol:
                return replace(found, status=CONVERGED)
            best = found if best is None or found.gap < best.gap else best
            check = iteration + _until_next(mark, (iteration, found.gap), stop.tol)
            stalled += 1
            if found.gap < 0.8 * mark[1]:
                mark, stalled = (iteration, found.gap), 0
            if stalled >= _PATIENCE and dtype == np.float32:
                resolvent = finer()
                dtype, stalled = np.dtype(np.float64), 0
        H = H + _RELAXATION * (S - Z)
        H = H.astype(dtype, copy=False)
    assert best is not None
    return replace(best, iterations=stop.max_iter)


def _refined(rest: Floats, Q: Floats, resolvent: Resolvent, data: Data) -> Floats:
    """Q - A Q in float64, by one step of refinement on what float32 made of it.

    K multiplies the rounding of B = rho (Q - A Q) by its largest eigenvalue; under the hull
    one row outside it is enough to spoil the certificate.
    """
    rest = rest.astype(np.float64)
    residual = Q - rest - resolvent.rho * data.scores(rest)
    return rest + resolvent.split(residual.astype(resolvent.dtype))[1]


def _alone(problem: MarginProblem, found: Solution, data: Data) -> float:
    """Gap with the dual point read off the coefficients themselves."""
    if problem.hull:
        return found.gap  # There it is.
    point = feasible(problem, found.coefficients)
    dual = dual_value(problem, point, data.scores(point))
    return (found.certificate.primal - dual) / max(found.certificate.primal, 1e-300)


def _until_next(before: tuple[int, float], now: tuple[int, float], tol: float) -> int:
    """Iterations to the next check: most of what is left if the gap falls on as it did.

    At most half as many again, lest a slow start put it off for long; eight at least.
    """
    iteration, gap = now
    fall = np.log(before[1] / gap) / (iteration - before[0]) if gap > 0 else np.inf
    if not 0 < fall < np.inf:
        return max(10, iteration // 10)
    left = np.log(gap / tol) / fall
    most = iteration // 2 if gap < 0.8 * before[1] else iteration // 10
    return int(np.clip(0.75 * left if left > 20 else left, 8, max(10, most)))


def _progress(gap: float, tol: float, spent: float) -> float:
    """Fraction done: how far the gap has come down from one, on a log scale."""
    fallen = np.log(min(max(gap, tol), 1.0)) / np.log(min(tol, 0.5))
    return float(max(fallen, spent))
