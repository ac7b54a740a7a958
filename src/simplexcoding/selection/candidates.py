"""The choice of kernel, width and scaling by left-out rows, on samples that grow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design import Folds
from simplexcoding.kernels import Kernel, has_gamma
from simplexcoding.selection.sampled_scores import (
    LANDMARKS,
    JudgingRule,
    Standing,
    score_on_landmarks,
    score_on_sample,
)
from simplexcoding.solvers.ridge import RidgeProblem

# Widths between them, which are tried beside the best.
_FINER_WIDTHS = (0.5, 2.0)
# All candidates are judged on a first sample, those near the best on a second one.
_FIRST_ROWS, _SECOND_ROWS = 1000, 2500
_ROWS_PER_CLASS = 4
# Candidates this near to the best, in units of its score, go on; at most so many.
_FINALIST_SHORTFALL, _FINALISTS = 0.1, 4
# Of many rows the finalists are judged on landmarks of so many.
_LANDMARK_ROWS = 8000


@dataclass(frozen=True, eq=False)
class Candidates:
    """What was tried, and how its left-out rows were scored.

    Parameters
    ----------
    kernel, scaling : (k,) arrays of words
    gamma : (k,) array
    score : (k,) array, larger is better; on the largest sample that the candidate reached
    accuracy : (k,) array, share of the left-out rows that are right, at the same alpha
    rows : (k,) array, size of that sample
    landmarks : (k,) array, landmarks it was projected on; 0 for the whole kernel
    scoring : str, the rule behind the score
    best : int, place of the chosen one
    """

    kernel: Any
    scaling: Any
    gamma: Floats
    score: Floats
    accuracy: Floats
    rows: Indices
    landmarks: Indices
    scoring: str
    best: int

    def __len__(self) -> int:
        return len(self.gamma)

    def order(self) -> Indices:
        """Places from the chosen one down; those judged on more rows first."""
        return np.lexsort((-self.score, -self.rows, -self.landmarks))

    def label(self, place: int) -> str:
        """A candidate in words."""
        width = f", gamma {self.gamma[place]:.3g}" if has_gamma(self.kernel[place]) else ""
        scaled = ", standardised" if self.scaling[place] == "standard" else ""
        return f"{self.kernel[place]}{width}{scaled}"

    def reason(self) -> str:
        """Why the chosen one was chosen, in one line."""
        first = self.order()[0]
        words = "log-loss" if self.scoring == "neg_log_loss" else self.scoring
        sign = -1 if self.scoring.startswith("neg_") else 1
        told = f"{words} {sign * self.score[first]:.4f} on {self.rows[first]:,} left-out rows"
        if len(self) > 1:
            second = self.order()[1]
            told += f", best of {len(self)}; next {self.label(second)}"
            told += f" with {sign * self.score[second]:.4f}"
            if self.rows[second] < self.rows[first]:
                told += f" on {self.rows[second]:,}"
        return told


def judge(
    problem: RidgeProblem,
    kernels: Sequence[Kernel],
    rule: JudgingRule,
    whole: bool,
    seed: int,
    folds: Folds | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
    finer: bool = False,
) -> tuple[Candidates, Kernel, float]:
    """Score kernels on samples of the rows; only those near the best see the larger ones.

    Returns what was tried, the best, and the alpha of its score.

    Parameters
    ----------
    problem : RidgeProblem, its kernel is ignored
    kernels : those to try
    rule : JudgingRule
    whole : bool
        Whether the fit will use the whole kernel. Else a kernel of slow spectrum that leads is
        last judged on landmarks, beside the best of the others: it wins on few rows and loses
        on few landmarks.
    seed : int, of the samples
    folds : Folds, default=None
        Rows that leave together; then no last word is spoken on landmarks.
    finer : bool, default=False
        Whether widths beside that of the best are tried too.
    """
    order = stratified_order(problem.targets.y, np.random.default_rng(seed))
    n_rows, n_classes = len(order), problem.targets.n_classes
    first = min(n_rows, max(_FIRST_ROWS, _ROWS_PER_CLASS * n_classes))
    first = n_rows if n_rows < 1.5 * first else first
    second = min(n_rows // 2, max(_SECOND_ROWS, 2 * first))
    begun = [Standing(kernel) for kernel in kernels]
    standings = score_on_sample(problem, begun, order[:first], rule, folds, 10.0)
    if finer:
        between = _beside(_near(standings)[0])
        standings += score_on_sample(problem, between, order[:first], rule, folds, 10.0)
    progress(0.4)
    near = _near(standings)
    if second > first and len(near) > 1:
        near = score_on_sample(problem, near, order[:second], rule, folds, 10.0**0.5)
        standings, near = _updated(standings, near), _near(near)
    progress(0.8)
    rivals = _best_of_each_kind(near)
    # A fast spectrum that leads on few rows leads by more on few landmarks.
    doubtful = near[0].kernel.slow_spectrum and len(rivals) > 1
    if doubtful and not whole and folds is None and n_rows > LANDMARKS:
        last = np.sort(order[:_LANDMARK_ROWS])
        rivals = [score_on_landmarks(problem, standing, last, rule) for standing in rivals]
        standings = _updated(standings, rivals)
    progress(1.0)
    found = _table(standings, rule.name)
    best = standings[found.best]
    return found, best.kernel, best.alpha


def stratified_order(y: Indices, rng: np.random.Generator) -> Indices:
    """All rows in an order whose every beginning holds each class by its share."""
    shuffled = rng.permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    counts = np.bincount(y)
    ranks = np.arange(len(y)) - (np.cumsum(counts) - counts)[y[by_class]]
    return by_class[np.argsort((ranks + 0.5) / counts[y[by_class]], kind="stable")]


def _updated(standings: Sequence[Standing], later: Sequence[Standing]) -> list[Standing]:
    """All standings, in their order, with those that were scored again in place of the old."""
    scored = {id(standing.kernel): standing for standing in later}
    return [scored.get(id(standing.kernel), standing) for standing in standings]


def _near(standings: Sequence[Standing]) -> list[Standing]:
    """Those near the best, the best first."""
    ranked = sorted(standings, key=lambda standing: -standing.score)
    best = ranked[0].score
    return [s for s in ranked if s.score >= best - _FINALIST_SHORTFALL * abs(best)][:_FINALISTS]


def _beside(best: Standing) -> list[Standing]:
    """The same kernel at widths beside its own; an exponential kernel hardly feels its width."""
    kernel = best.kernel
    if kernel.linear or kernel.slow_spectrum:
        return []
    return [Standing(replace(kernel, gamma=factor * kernel.gamma)) for factor in _FINER_WIDTHS]


def _best_of_each_kind(standings: Sequence[Standing]) -> list[Standing]:
    """The first of those whose spectrum falls slowly and the first of the others."""
    slow = [s for s in standings if s.kernel.slow_spectrum]
    fast = [s for s in standings if not s.kernel.slow_spectrum]
    return slow[:1] + fast[:1]


def _table(standings: Sequence[Standing], rule: str) -> Candidates:
    def column(name: str) -> Any:
        return np.array([getattr(standing, name) for standing in standings])

    kernels = [standing.kernel for standing in standings]
    last = np.lexsort((column("score"), column("rows"), column("landmarks")))
    return Candidates(
        np.array([kernel.name for kernel in kernels]),
        np.array(["none" if kernel.scale is None else "standard" for kernel in kernels]),
        np.array([kernel.gamma for kernel in kernels]),
        column("score"),
        column("accuracy"),
        column("rows"),
        column("landmarks"),
        rule,
        int(last[-1]),
    )
