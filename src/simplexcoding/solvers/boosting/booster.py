"""From rows to an ensemble: how many rounds, and which rows each of them learns from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.functions import Ensemble
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.held_out import Fold, Watch, Watched, boost_watched, together
from simplexcoding.solvers.boosting.held_out_folds import held_out_folds
from simplexcoding.solvers.boosting.rounds import Method, Round, boost
from simplexcoding.solvers.solution import Solution, Status

# Share of the rounds that held-out rows join, once they have said how many there are to be: they
# are a quarter of the others.
JOINT_SHARE = 0.2

EVERY_ROW = slice(None)

# Rows below which a tenth of them says too little.
FEW_ROWS = 1000
_FOLDS_OF_FEW_ROWS = 5


@dataclass(frozen=True)
class HoldOut:
    """Which rows are held out: one fold in `n_folds`, or each of them in its turn.

    Parameters
    ----------
    watch : Watch
    n_folds : int
    every : bool
        Whether every fold is held out of rounds of its own, all in step, and the ensemble then
        learnt from all rows, as many rounds long as was best.
    join : bool
        Whether a single fold, after its best number of rounds, joins the others for a quarter
        as many.
    """

    watch: Watch
    n_folds: int
    every: bool = False
    join: bool = False

    @classmethod
    def once(cls, watch: Watch, fraction: float, join: bool) -> "HoldOut":
        """A fraction of the rows, held out once."""
        return cls(watch, max(2, round(1 / fraction)), join=join)

    @classmethod
    def by_size(cls, rows: Rows, watch: Watch, fraction: float) -> "HoldOut":
        """Every row of few in its turn, a fraction of many."""
        # Weights count as rows, unless they have another unit.
        if max(len(rows), rows.total) < FEW_ROWS:
            return cls(watch, _FOLDS_OF_FEW_ROWS, every=True)
        return cls.once(watch, fraction, join=True)


def part_of(
    progress: Callable[..., None] | None, begin: float, end: float
) -> Callable[..., None] | None:
    """Progress from begin to end, for a part of the work: it never goes back.

    Examples
    --------
    >>> part_of(print, 0.5, 1.0)(0.5, "second half")
    0.75 second half
    """
    if progress is None:
        return None
    return lambda fraction, *note: progress(begin + (end - begin) * fraction, *note)


@dataclass(frozen=True)
class Trail:
    """What the rounds left behind.

    Parameters
    ----------
    risks : of the rows learnt from, after each round
    measures : of the held-out rows, up to the best round; empty where none were held out
    held_out : their labels and weights, or None
    scores : (n, T) scores of the held-out rows from rounds that did not learn from them
    """

    risks: Floats
    measures: Floats = field(default_factory=lambda: np.zeros(0))
    held_out: Rows | None = None
    scores: Floats | None = None

    @property
    def least(self) -> float:
        """The measure at the best round; infinite where no rows were held out."""
        return float(self.measures.min(initial=np.inf))


@dataclass(frozen=True)
class BoostedSolution(Solution):
    """An ensemble, how its rounds ended, and what they left behind."""

    function: Ensemble
    trail: Trail = field(kw_only=True)


@dataclass(frozen=True)
class Booster:
    """Rounds on rows.

    Parameters
    ----------
    method_for : makes the rounds' method for some of the rows, given and by their places
    collect : makes an ensemble of the weak learners of each round
    n_rounds : int, at most
    hold_out : HoldOut or None
    seed : int, for which rows are held out
    marks : (n, m) array, or None for the features
        What a weak learner can tell rows apart by: rows of equal marks are held out together.
    """

    method_for: Callable[[Rows, Any], Method]
    collect: Callable[[Sequence[Sequence[Any]]], Any]
    n_rounds: int
    hold_out: HoldOut | None
    seed: int
    marks: Any = None

    def fit(
        self,
        rows: Rows,
        earlier: Ensemble | None = None,
        progress: Callable[..., None] | None = None,
        rival: Sequence[float] = (),
    ) -> BoostedSolution:
        """Boost on rows, from where an earlier ensemble stands.

        Behind the held-out measures of a rival nothing is learnt from all rows.
        """
        if self.hold_out is not None:
            numbers = self._folds(rows)
            if (numbers >= 0).any():
                return self._watched(rows, numbers, earlier, progress, rival)
        first = 0 if earlier is None else len(earlier.parts)
        rounds, status = boost(
            self.method_for(rows, EVERY_ROW),
            self.n_rounds - first,
            S=None if earlier is None else earlier.scores(rows.X),
            first=first,
            progress=progress,
        )
        return self._solution(rows, earlier, rounds, status)

    def _folds(self, rows: Rows) -> Indices:
        """Fold of each row; -1 for rows that are never held out."""
        assert self.hold_out is not None
        marks = rows.X if self.marks is None else self.marks
        folds = held_out_folds(marks, rows.y, rows.counts, self.hold_out.n_folds, self.seed)
        return folds if self.hold_out.every else np.where(folds == 0, 0, -1)

    def _watched(
        self,
        rows: Rows,
        numbers: Indices,
        earlier: Ensemble | None,
        progress: Callable[..., None] | None,
        rival: Sequence[float],
    ) -> BoostedSolution:
        assert self.hold_out is not None
        hold_out, first = self.hold_out, 0 if earlier is None else len(earlier.parts)
        held = [numbers == number for number in np.unique(numbers[numbers >= 0])]
        folds = [self._fold(rows, out, earlier) for out in held]
        most = self.n_rounds - first
        if hold_out.join:
            most = max(1, most - round(JOINT_SHARE * most))
        watched = len(folds) / (len(folds) + 1) if hold_out.every else 1 - JOINT_SHARE
        if not (hold_out.every or hold_out.join):
            watched = 1.0
        part = part_of(progress, 0.0, watched)
        seen = boost_watched(folds, most, hold_out.watch, first=first, progress=part, rival=rival)
        part = part_of(progress, watched, 1.0)
        if hold_out.every:
            behind = min(seen.measures, default=0.0) >= min(rival, default=np.inf)
            many = 0 if behind else seen.best
            rounds, _ = boost(self.method_for(rows, EVERY_ROW), many, first=first, progress=part)
        else:
            rounds = folds[0].rounds[: seen.best]
        if hold_out.join:
            rounds += self._joint(rows, rounds, part)
        found = together([rows.take(out) for out in held])
        return self._solution(rows, earlier, rounds, seen.status, seen, found)

    def _fold(self, rows: Rows, out: Any, earlier: Ensemble | None) -> Fold:
        learn, watch = rows.take(~out), rows.take(out)
        F, S = np.zeros((len(watch), rows.n_classes - 1)), None
        if earlier is not None:
            earlier.parts.add(watch.X, F)
            S = earlier.scores(learn.X)
        return Fold(self.method_for(learn, ~out), watch, F, S)

    def _joint(
        self, rows: Rows, rounds: list[Round], progress: Callable[..., None] | None
    ) -> list[Round]:
        """Rounds that learn from all rows, after those that did not."""
        so_far = Ensemble(self.collect([made.parts for made in rounds]), rows.n_classes)
        more, _ = boost(
            self.method_for(rows, EVERY_ROW),
            min(ceil(len(rounds) / 4), self.n_rounds - len(rounds)),
            S=so_far.scores(rows.X),
            first=len(rounds),
            progress=progress,
        )
        return more

    def _solution(
        self,
        rows: Rows,
        earlier: Ensemble | None,
        rounds: list[Round],
        status: Status,
        seen: Watched | None = None,
        held_out: Rows | None = None,
    ) -> BoostedSolution:
        parts = self.collect([made.parts for made in rounds])
        if earlier is not None:
            parts = earlier.parts + parts
        risks = np.array([made.risk for made in rounds])
        trail = Trail(risks)
        if seen is not None:
            trail = Trail(risks, np.array(seen.measures[: seen.best]), held_out, seen.scores)
        learnt = Ensemble(parts, rows.n_classes)
        return BoostedSolution(learnt, status, len(parts), trail=trail)


def best_of(
    boosters: Sequence[Booster],
    rows: Rows,
    earlier: Ensemble | None = None,
    progress: Callable[..., None] | None = None,
) -> BoostedSolution:
    """The solution of the booster whose held-out rows have the least measure, the first of equals.

    Where none are held out, the first booster's.
    """
    best: BoostedSolution | None = None
    for number, booster in enumerate(boosters):
        part = part_of(progress, number / len(boosters), (number + 1) / len(boosters))
        rival = () if best is None else best.trail.measures.tolist()
        found = booster.fit(rows, earlier, part, rival)
        if best is None or found.trail.least < best.trail.least:
            best = found
    assert best is not None
    return best
