"""Rounds watched by rows that they do not learn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.coding import SimplexCode
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.rounds import LEAST_RISK, Method, Part, Round
from simplexcoding.solvers.solution import Status


class Measure(Protocol):
    """What held-out rows watch: the smaller the better."""

    def __call__(self, scores: Floats, rows: Rows) -> float:
        """Measure of the scores of rows, (n, T)."""


def share_of_errors(scores: Floats, rows: Rows) -> float:
    """Weighted share of wrong answers.

    A few rows far on the wrong side rule the exponential risk, which rises while the errors
    still fall: exact steps are watched by their errors.
    """
    return float(rows.counts @ (scores.argmax(axis=1) != rows.y) / rows.total)


@dataclass
class CalibratedLogLoss:
    """Log-loss of softmax(beta u) at the best beta, which follows the rounds.

    Scores grow beyond what the rows can tell long before the errors rise; at its best
    temperature the loss goes on falling with them. One Newton step per call keeps beta near its
    best, for a round changes it little.
    """

    beta: float = field(default=1.0, init=False)

    def __call__(self, scores: Floats, rows: Rows) -> float:
        loss, slope, curvature = tempered_loss(scores, rows.y, rows.counts, self.beta)
        step = -slope / curvature if curvature > 0 else 0.0
        step = min(max(step, -self.beta / 2), self.beta)
        self.beta += step
        return (loss + slope * step + curvature * step**2 / 2) / rows.total


def tempered_loss(
    scores: Floats, y: Indices, weights: Floats, beta: float
) -> tuple[float, float, float]:
    """Weighted log-loss of softmax(beta scores), and its two derivatives in beta. O(n T)."""
    # Sums over classes are several times faster class by class than row by row.
    below = np.ascontiguousarray(scores.T)
    below -= below.max(axis=0)
    P = np.exp(beta * below)
    total = P.sum(axis=0)
    own = below[y, np.arange(len(y))]
    P *= below
    mean = P.sum(axis=0) / total
    P *= below
    square = P.sum(axis=0) / total
    return (
        float(weights @ (np.log(total) - beta * own)),
        float(weights @ (mean - own)),
        float(weights @ (square - mean * mean)),
    )


@dataclass
class Fold:
    """Rounds on some rows, and other rows that watch them from scores of f = F, (n, T-1)."""

    method: Method
    rows: Rows
    F: Floats
    S: Floats | None = None
    rounds: list[Round] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._state = self.method.start(self.S)
        self.S = None

    def go(self, number: int) -> Round | None:
        """Make a round and answer the watching rows by it."""
        new = self.method.round(self._state, number)
        if new is not None:
            self.rounds.append(new)
            add(new.parts, self.rows.X, self.F)
        return new


def add(parts: Sequence[Part], X: Any, F: Floats) -> None:
    """Add the answers of weak learners to F, in place."""
    for part in parts:
        part.add(X, F)


@dataclass(frozen=True)
class Watch:
    """When to stop: after `patience` rounds whose measure is not below the best by `tol`."""

    measure: Measure
    patience: int
    tol: float = 0.0

    def stalled(self, measures: list[float]) -> bool:
        """Whether none of the last measures is below the best before them by tol."""
        if len(measures) <= self.patience:
            return False
        before = min(measures[: -self.patience])
        return min(measures[-self.patience :]) >= before - self.tol

    def far_behind(self, measures: list[float], rival: Sequence[float]) -> bool:
        """Whether the best measure is half as much again as a rival's after as many rounds."""
        if not rival or len(measures) < self.patience:
            return False
        return min(measures) > 1.5 * min(rival[: len(measures)])


@dataclass(frozen=True)
class Watched:
    """What the watching rows saw.

    Parameters
    ----------
    best : int, rounds up to the first least measure
    measures : of every round made
    scores : (n, T) scores of the watching rows after the best rounds, fold after fold
    status : Status
    """

    best: int
    measures: tuple[float, ...]
    scores: Floats
    status: Status


def boost_watched(
    folds: Sequence[Fold],
    n_rounds: int,
    watch: Watch,
    *,
    first: int = 0,
    progress: Callable[..., None] | None = None,
    rival: Sequence[float] = (),
) -> Watched:
    """Make the rounds of all folds in step until those held out see no more gain.

    Parameters
    ----------
    folds : Fold, one or more
    n_rounds : int
    watch : Watch
    first : int, number of the first round
    progress : called with the fraction done and the last measure
    rival : measures of other rounds of the same rows; far behind these nothing is gone on with
    """
    code = SimplexCode(folds[0].rows.n_classes)
    rows = together([fold.rows for fold in folds])
    measures: list[float] = []
    status, best = Status.ROUNDS, np.concatenate([fold.F for fold in folds])
    for number in range(n_rounds):
        made = [fold.go(first + number) for fold in folds]
        if None in made:
            status = Status.EXHAUSTED
            break
        F = np.concatenate([fold.F for fold in folds])
        measures.append(watch.measure(code.scores(F), rows))
        if measures[-1] == min(measures):
            best = F if measures.index(measures[-1]) == number else best
        if watch.stalled(measures) or watch.far_behind(measures, rival):
            status = Status.HELD_OUT
            break
        if max(new.risk for new in made if new) <= LEAST_RISK:
            status = Status.SEPARATED
            break
        if progress is not None:
            progress((number + 1) / n_rounds, f"held-out {measures[-1]:.4f}")
    rounds = int(np.argmin(measures)) + 1 if measures else 0
    return Watched(rounds, tuple(measures), code.scores(best), status)


def together(parts: Sequence[Rows]) -> Rows:
    """Labels and weights of the parts, one after another; their features stay where they are."""
    y = np.concatenate([part.y for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    return Rows(np.empty((len(y), 0)), y, parts[0].n_classes, counts)
