"""Minimise sum w V(u(x), y) / sum w + lambda ||W||_F^2 one row at a time (Pegasos).

As a stream, where the sum of the weights to come is not known, it is mean w V.

The constant column of the intercept has the root mean square length of the rows, and its
weight is penalised with the rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.functions import LinearFunction
from simplexcoding.losses.loss import Loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.solution import Report, Solution, Status, silent
from simplexcoding.solvers.stochastic.stream import PERIOD, Rule, Stream

NEEDS = ("row_step",)
"""What a loss must offer to be learnt row by row."""


@dataclass(frozen=True)
class Descent:
    """How to descend: everything but the rows and the lambdas.

    Parameters
    ----------
    loss : Loss
    project : bool, hold ||W||_F <= sqrt(largest_pull mean w / (2 lambda)) after every step
    average : bool, answer with the average of the iterates
    intercept : bool
    plain : bool
        Take steps of 1/(2 lambda t) and the plain mean, as the paper does. Else steps are
        bounded by the scale of the rows and by the loss, and the average weighs the k-th
        iterate by k.
    normalised : bool
        Divide each weight by the mean weight of the rows so far, so that the sum of the
        weights stands where their number would: weights then equal repeats. Else a weight
        multiplies its row's loss as it is.
    """

    loss: Loss
    project: bool = True
    average: bool = True
    intercept: bool = True
    plain: bool = False
    normalised: bool = False

    @property
    def period(self) -> int:
        """The average takes in one iterate in so many; 0 for no average."""
        return PERIOD if self.average else 0

    def rule(self, n_classes: int) -> Rule:
        """Return the same as plain numbers, for T classes."""
        own = self.loss.subgradient(np.zeros((1, n_classes)), [0])[0, 0]
        return Rule(
            reach=abs(float(own)) * n_classes / (n_classes - 1),
            largest_pull=float(self.loss.largest_pull(n_classes)),
            project=self.project,
            intercept=self.intercept,
            period=self.period,
            plain=self.plain,
            emphasis=0.0 if self.plain else 1.0,
            normalised=self.normalised,
        )


@dataclass(frozen=True)
class StochasticSolution:
    """Where the passes over the rows ended, one model for each lambda.

    Parameters
    ----------
    stream : Stream
    objectives : (m,) array, the objective over the rows; without `tol`, the
        `running_objective` of the last pass
    scores : (m,) array, accuracy on the held-out rows; NaN without any, and where a model
        has overflowed
    iterations : int, passes made
    status : Status
    """

    stream: Stream
    objectives: Floats
    scores: Floats
    iterations: int
    status: Status

    def only(self, model: int) -> "StochasticSolution":
        """Return one of the models, sharing no array."""
        return replace(
            self,
            stream=self.stream.only(model).copy(),
            objectives=self.objectives[[model]],
            scores=self.scores[[model]],
        )

    def solution(self, descent: Descent) -> Solution:
        """Return the first model as a function, with how the passes ended."""
        return Solution(function(self.stream, descent), self.status, self.iterations)


def function(stream: Stream, descent: Descent, model: int = 0) -> LinearFunction:
    """Return what a model has learnt so far."""
    U, b = stream.weights(descent.period)
    return LinearFunction(U[model], b[model].astype(U.dtype))


def advance(stream: Stream, rows: Rows, descent: Descent, order: Indices | None = None) -> Stream:
    """Return the stream after the rows, one step each, in the order given.

    The answer depends on the sequence of rows alone, not on how it is cut into calls.
    """
    return _advanced(stream.copy(), rows, descent, order)


def advance_over(stream: Stream, blocks: Iterable[Rows], descent: Descent) -> Stream:
    """Return the stream after blocks of rows, which need not be in memory together.

    Rows of a block have indices of the stream's classes; it is that of the rows in one piece.
    """
    stream = stream.copy()
    for rows in blocks:
        stream = _advanced(stream, rows, descent, None)
    return stream


def objective(stream: Stream, rows: Rows, descent: Descent) -> Floats:
    """Mean of V by weight, sum w V / sum w, + lambda ||W||_F^2 of each model over the rows, (m,).

    A descent that is not normalised divides by the number of rows.
    """
    total = np.zeros(len(stream.lambdas))
    for _, part in rows.blocks():
        for a in range(len(total)):
            S = function(stream, descent, a).scores(part.X)
            total[a] += part.counts @ descent.loss.value(S, part.y)
    size = rows.total if descent.normalised else max(len(rows), 1)
    return total / size + stream.lambdas * stream.penalty(descent.period)


def running_objective(before: Stream, after: Stream, descent: Descent) -> Floats:
    """The objective over the rows between two moments of a stream, (m,).

    V is that of each row just before its step, so no second look at the rows is needed.
    """
    size = after.t - before.t
    if descent.normalised:
        size = after.t * after.means[0] - before.t * before.means[0]
    mean = (after.losses - before.losses) / (size if size > 0 else 1)
    return mean + after.lambdas * after.penalty(descent.period)


def accuracy(stream: Stream, rows: Rows, descent: Descent) -> Floats:
    """Weighted accuracy of each model, (m,)."""
    every = [function(stream, descent, a).scores(rows.X) for a in range(len(stream.lambdas))]
    return np.array([np.average(S.argmax(axis=1) == rows.y, weights=rows.weights) for S in every])


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
    report: Report = silent,
) -> StochasticSolution:
    """Pass over the rows until the objective, or the held-out accuracy, stops improving.

    Parameters
    ----------
    rows : Rows
    descent : Descent
    start : Stream
    max_iter : int, default=100
        The most passes.
    tol : float or None, default=1e-3
        Stop once no model's objective has fallen by this fraction for `patience` passes, or
        by this fraction of a tenth of the loss of zero weights. None makes every pass.
    held_out : Rows, default=None
        Rows to measure the accuracy on.
    stop_on_held_out : bool, default=False
        Stop once no model's held-out accuracy has risen by `tol` instead, and answer with
        the pass that was best.
    rng : Generator, default=None
        Draws the order of each pass; None keeps that of the rows.
    report : callable, default=silent
        Told the fraction of the passes made.

    Returns
    -------
    StochasticSolution
    """
    stream = kept = start
    judges = held_out if stop_on_held_out else None
    watch = judges is not None or tol is not None
    best = reached = np.full(len(start.lambdas), np.inf)
    floor = 0.1 * _loss_of_zero(rows, descent)
    status, stale, n_iter = Status.ITERATIONS, 0, 0
    for n_iter in range(1, max_iter + 1):
        before = stream
        stream = advance(stream, rows, descent, None if rng is None else rng.permutation(len(rows)))
        report(n_iter / max_iter)
        if not stream.finite().any():
            kept, status = stream, Status.NOT_FINITE
            break
        if not watch:
            kept, reached = stream, running_objective(before, stream, descent)
            continue
        now = _shortfall(stream, rows, descent, judges)
        if judges is None or now.min() < best.min():
            kept, reached = stream, now
        # Where rows separate the objective falls to zero, by a fraction of itself for ever.
        needed = (tol or 0.0) * (np.maximum(now, floor) if judges is None else 1.0)
        # A sum, as the difference of two models that have overflowed is NaN.
        stale = 0 if np.any(now + needed < best) else stale + 1
        best = np.minimum(best, now)
        if tol is not None and stale >= patience:
            status = Status.CONVERGED
            break
    if judges is not None:
        reached = objective(kept, rows, descent)
    right = np.full(len(best), np.nan)
    if held_out is not None and status is not Status.NOT_FINITE:
        right = np.where(kept.finite(), accuracy(kept, held_out, descent), np.nan)
    return StochasticSolution(kept, reached, right, n_iter, status)


def _shortfall(stream: Stream, rows: Rows, descent: Descent, judges: Rows | None) -> Floats:
    """Return what each pass should lower: the objective, or the error of the judging rows."""
    if judges is None:
        now = objective(stream, rows, descent)
    else:
        now = 1.0 - accuracy(stream, judges, descent)
    return np.where(stream.finite(), now, np.inf)


def _loss_of_zero(rows: Rows, descent: Descent) -> float:
    """The objective of zero weights."""
    if rows.n_classes < 2:
        return 0.0
    zero = float(descent.loss.value(np.zeros((1, rows.n_classes)), [0])[0])
    return zero if descent.normalised else zero * rows.total / max(len(rows), 1)


def _advanced(stream: Stream, rows: Rows, descent: Descent, order: Indices | None) -> Stream:
    """Learn the rows in place of the stream's own arrays."""
    if stream.n_classes < 2:
        rows = rows if order is None else rows.take(order)
        return stream.counting(*_sums(rows), len(rows))
    from simplexcoding.compiled import row_function

    order = np.arange(len(rows)) if order is None else order
    gradient = row_function(descent.loss.row_step)
    rule = descent.rule(stream.n_classes)
    state = (rows.y, rows.counts, order, stream.t, stream.means)
    averages = (stream.U_mean, stream.b_mean)
    models = (stream.lambdas, stream.U, stream.b, *averages, stream.norms(), stream.losses)
    if isinstance(rows.X, np.ndarray):
        from simplexcoding.solvers.stochastic.dense_pass import dense_pass

        X = np.ascontiguousarray(rows.X, dtype=stream.U.dtype)
        t = dense_pass(gradient, rule, X, *state, *models)
    else:
        from simplexcoding.solvers.stochastic.sparse_pass import sparse_pass

        matrix = _canonical(rows.X, stream.U.dtype)
        t = sparse_pass(gradient, rule, *matrix, *state, *models)
    return replace(stream, t=int(t))


def _sums(rows: Rows) -> tuple[float, float]:
    """Return sum w and sum w ||x||^2."""
    if isinstance(rows.X, np.ndarray):
        squares = np.einsum("ij,ij->i", rows.X, rows.X).astype(np.float64, copy=False)
    else:
        squares = np.asarray(rows.X.multiply(rows.X).sum(axis=1), dtype=np.float64).ravel()
    return rows.total, float(rows.counts @ squares)


def _canonical(X: Any, dtype: Any) -> tuple[Floats, Indices, Indices]:
    """Arrays of a CSR matrix without repeated entries."""
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    data = np.ascontiguousarray(X.data, dtype=dtype)
    return data, X.indices, X.indptr.astype(np.intp, copy=False)
