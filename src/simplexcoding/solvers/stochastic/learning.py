"""Minimise mean w V(u(x), y) + lambda ||W||_F^2 one row at a time (Pegasos).

The constant column of the intercept has the root mean square length of the rows, and its
weight is penalised with the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.losses.loss import Loss
from simplexcoding.solvers.stochastic.stream import PERIOD, Rule, Stream

_ROWS = 4096


@dataclass(frozen=True)
class Rows:
    """Rows to learn from.

    Parameters
    ----------
    X : (n, p) array or CSR matrix
    y : (n,) array of class indices
    w : (n,) array of weights >= 0, or None for ones; a row of weight zero is left out
    """

    X: Any
    y: Indices
    w: Floats | None = None

    @property
    def weights(self) -> Floats:
        """The weights, (n,)."""
        return np.ones(len(self.y)) if self.w is None else self.w

    @property
    def used(self) -> Indices:
        """Numbers of the rows of positive weight."""
        return np.arange(len(self.y)) if self.w is None else np.flatnonzero(self.w > 0)

    def means(self) -> Floats:
        """Return (mean w, mean w ||x||^2) over the rows of positive weight."""
        w = self.weights
        if isinstance(self.X, np.ndarray):
            squares = np.einsum("ij,ij->i", self.X, self.X).astype(np.float64, copy=False)
        else:
            squares = np.asarray(self.X.multiply(self.X).sum(axis=1), dtype=np.float64).ravel()
        return np.array([w.sum(), w @ squares]) / _count(w)


@dataclass(frozen=True)
class Descent:
    """How to descend: everything but the rows and the lambdas.

    Parameters
    ----------
    loss : Loss
    project : bool, hold ||W||_F <= sqrt(growth mean w / (2 lambda)) after every step
    average : bool, answer with the average of the iterates, the k-th weighed by k
    intercept : bool
    """

    loss: Loss
    project: bool = True
    average: bool = True
    intercept: bool = True

    @property
    def period(self) -> int:
        """The average takes in one iterate in so many; 0 for no average."""
        return PERIOD if self.average else 0

    def rule(self, n_classes: int) -> Rule:
        """Return the same as plain numbers, for T classes."""
        from simplexcoding.solvers.stochastic.row_gradients import CODES

        own = self.loss.subgradient(np.zeros((1, n_classes)), [0])[0, 0]
        reach = abs(float(own)) * n_classes / (n_classes - 1)
        return Rule(
            CODES[self.loss.name],
            reach,
            float(self.loss.growth(n_classes)),
            self.project,
            self.intercept,
            self.period,
        )


@dataclass(frozen=True)
class StochasticSolution:
    """Where the passes over the rows ended.

    Parameters
    ----------
    stream : Stream
    objectives : (m,) array, mean w V + lambda ||W||^2 over the rows; without `tol`, the
        `running_objective` of the last pass
    scores : (m,) array, accuracy on the held-out rows; NaN without any
    n_iter : int, passes made
    status : "converged", "max_iter" or "not_finite"
    """

    stream: Stream
    objectives: Floats
    scores: Floats
    n_iter: int
    status: str


def advance(stream: Stream, rows: Rows, descent: Descent, order: Indices) -> Stream:
    """Return the stream after the rows `order`, one step each, in that order.

    The answer depends on the sequence of rows alone, not on how it is cut into calls.
    """
    stream = stream.copy()
    w = rows.weights
    order = order[w[order] > 0]
    if stream.n_classes < 2:
        return _one_class(stream, Rows(rows.X[order], rows.y[order], w[order]))
    rule = descent.rule(stream.n_classes)
    models = (stream.lambdas, stream.U, stream.b, stream.U_mean, stream.b_mean, stream.losses)
    if isinstance(rows.X, np.ndarray):
        from simplexcoding.solvers.stochastic.dense_pass import dense_pass

        X = np.ascontiguousarray(rows.X, dtype=stream.U.dtype)
        t = dense_pass(rule, X, rows.y, w, order, stream.t, stream.means, *models)
    else:
        from simplexcoding.solvers.stochastic.sparse_pass import sparse_pass

        matrix = _canonical(rows.X, stream.U.dtype)
        t = sparse_pass(rule, *matrix, rows.y, w, order, stream.t, stream.means, *models)
    return replace(stream, t=int(t))


def objective(stream: Stream, rows: Rows, descent: Descent) -> Floats:
    """Mean w V + lambda ||W||_F^2 of each model over the rows, (m,)."""
    total = np.zeros(len(stream.lambdas))
    w = rows.weights
    for start in range(0, len(rows.y), _ROWS):
        part = slice(start, start + _ROWS)
        for a, S in enumerate(scores(stream, rows.X[part], descent)):
            total[a] += w[part] @ descent.loss.value(S, rows.y[part])
    return total / _count(w) + stream.lambdas * stream.penalty(descent.period)


def running_objective(before: Stream, after: Stream, descent: Descent) -> Floats:
    """Mean w V + lambda ||W||_F^2 over the rows between two moments of a stream, (m,).

    V is that of each row just before its step, so no second look at the rows is needed.
    """
    mean = (after.losses - before.losses) / max(after.t - before.t, 1)
    return mean + after.lambdas * after.penalty(descent.period)


def accuracy(stream: Stream, rows: Rows, descent: Descent) -> Floats:
    """Weighted accuracy of each model, (m,)."""
    right = [S.argmax(axis=1) == rows.y for S in scores(stream, rows.X, descent)]
    return np.array([np.average(hits, weights=rows.w) for hits in right])


def scores(stream: Stream, X: Any, descent: Descent) -> list[Floats]:
    """Scores of each model, (n, T) arrays."""
    U, b = stream.weights(descent.period)
    return [X @ U[a] + b[a].astype(U.dtype) for a in range(len(U))]


def solve(
    rows: Rows,
    descent: Descent,
    start: Stream,
    *,
    max_iter: int = 100,
    tol: float | None = 1e-3,
    patience: int = 5,
    held_out: Rows | None = None,
    stop_on_held_out: bool = False,
    rng: np.random.Generator | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
) -> StochasticSolution:
    """Pass over the rows until the objective, or the held-out accuracy, stops improving.

    Parameters
    ----------
    rows : Rows
    descent : Descent
    start : Stream
    max_iter : int, the most passes
    tol : float or None
        Stop once no model's objective has fallen by this fraction for `patience` passes.
        None makes every pass.
    held_out : Rows or None
        Rows to measure the accuracy on.
    stop_on_held_out : bool
        Stop once no model's held-out accuracy has risen by `tol` instead, and answer with
        the pass that was best.
    rng : Generator or None, draws the order of each pass; None keeps that of the rows
    progress : callable, told the fraction of the passes made

    Returns
    -------
    StochasticSolution
    """
    stream = kept = start
    judges = held_out if stop_on_held_out else None
    watch = judges is not None or tol is not None
    best = reached = np.full(len(start.lambdas), np.inf)
    order, status, stale, n_iter = rows.used, "max_iter", 0, 0
    for n_iter in range(1, max_iter + 1):
        chosen = order if rng is None else rng.permutation(order)
        before = stream
        stream = advance(stream, rows, descent, chosen)
        progress(n_iter / max_iter)
        if not stream.is_finite():
            kept, status = stream, "not_finite"
            break
        if not watch:
            kept, reached = stream, running_objective(before, stream, descent)
            continue
        now = _shortfall(stream, rows, descent, judges)
        if judges is None or now.min() < best.min():
            kept, reached = stream, now
        needed = (tol or 0.0) * (np.abs(now) if judges is None else 1.0)
        stale = 0 if np.any(now < best - needed) else stale + 1
        best = np.minimum(best, now)
        if tol is not None and stale >= patience:
            status = "converged"
            break
    if judges is not None:
        reached = objective(kept, rows, descent)
    right = np.full(len(best), np.nan)
    if held_out is not None and status != "not_finite":
        right = accuracy(kept, held_out, descent)
    return StochasticSolution(kept, reached, right, n_iter, status)


def _shortfall(stream: Stream, rows: Rows, descent: Descent, judges: Rows | None) -> Floats:
    """Return what each pass should lower: the objective, or the error of the judging rows."""
    if judges is None:
        return objective(stream, rows, descent)
    return 1.0 - accuracy(stream, judges, descent)


def _count(w: Floats) -> int:
    return max(int(np.count_nonzero(w)), 1)


def _one_class(stream: Stream, rows: Rows) -> Stream:
    """Count the rows: with one class there is nothing to learn yet."""
    n_new = len(rows.y)
    if not n_new:
        return stream
    t = stream.t + n_new
    means = stream.means + (rows.means() - stream.means) * (n_new / t)
    return replace(stream, means=means, t=t)


def _canonical(X: Any, dtype: Any) -> tuple[Floats, Indices, Indices]:
    """Arrays of a CSR matrix without repeated entries."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    data = np.ascontiguousarray(X.data, dtype=dtype)
    return data, X.indices, X.indptr.astype(np.intp, copy=False)
