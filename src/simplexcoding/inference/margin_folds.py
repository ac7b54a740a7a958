"""Left-out scores of a margin machine: folds set aside in place, solved in step."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.margin import Certificate, MarginProblem, MarginSolution, State
from simplexcoding.solvers.solution import Report, Status, silent
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting
from simplexcoding.solvers.splitting.pace import balanced_penalty


class FoldScores(NamedTuple):
    """Scores of rows by machines without their fold, and the largest gap of those machines."""

    scores: Floats
    gap: float


def fold_scores(
    machine: Splitting,
    problem: MarginProblem,
    solution: MarginSolution,
    folds: Sequence[Indices],
    stop: Stop,
    report: Report = silent,
) -> FoldScores:
    """Score every row by a machine that has not seen it, on the operator of the fit.

    Each fold has box = 0 in a problem of its own, whose optimum is that without its rows.
    All of them start at the solution of all rows and share their products.

    Parameters
    ----------
    machine : Splitting
    problem : MarginProblem of all rows, at the chosen C
    solution : MarginSolution of it
    folds : sequence of (m,) arrays of row numbers, each row in one of them at most
    stop : Stop

    Returns
    -------
    FoldScores, with the scores of the solution for rows in no fold
    """
    problems = [problem.without(fold) for fold in folds]
    starts = [_without(solution, fold) for fold in folds]
    found = machine.solve(problems, stop, starts, report)
    scores = solution.scores.copy()
    for fold, part in zip(folds, found, strict=True):
        scores[fold] = part.scores[fold]
    return FoldScores(scores, max(part.gap for part in found))


def solution_at(problem: MarginProblem, scores: Floats, duals: Floats) -> MarginSolution:
    """A solution of which scores and duals are known, as a place to start from."""
    length = float(np.vdot(duals, scores))
    dual, primal = problem.dual_value(duals, length), problem.primal_value(scores, length)
    state = State(scores, -duals)
    found = Certificate(primal, dual, duals, length)
    rho = balanced_penalty(problem, state)
    return MarginSolution(duals, scores, found, 0, Status.CONVERGED, state, rho)


def _without(solution: MarginSolution, fold: Indices) -> MarginSolution:
    """Where to start without a fold: its rows have no multipliers."""
    D = solution.state.D.copy()
    D[fold] = 0.0
    return replace(solution, state=State(solution.state.Z, D))
