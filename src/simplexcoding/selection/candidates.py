"""The choice of kernel, width and scaling by left-out rows, on samples that grow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design import CholeskySpectrum, Folds, LeaveOneOut, Spectrum, WeightedKernel
from simplexcoding.design.growing import GrowingLandmarks
from simplexcoding.kernels import Kernel, squared_distances
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import Accuracy, NegLogLoss, Scoring
from simplexcoding.selection.sklearn_scorers import make_scoring
from simplexcoding.solvers.ridge import RidgeProblem

# Widths between them, which are tried beside the best.
_FINER_WIDTHS = (0.5, 2.0)
# All candidates are judged on a first sample, those near the best on a second one.
_FIRST_ROWS, _SECOND_ROWS = 1000, 2500
_ROWS_PER_CLASS = 4
# Candidates this near to the best, in units of its score, go on; at most so many.
_FINALIST_SHORTFALL, _FINALISTS = 0.1, 4
# A step of alpha that gains less than this share of the score is the last one, and so is one
# after which a candidate is still behind the best by this many times what the step gained.
_LEAST_GAIN, _HOPELESS_LAG = 0.003, 3.0
# What half a decade of alpha may gain, as a share of the score: a finalist that is further
# behind the best where it starts is asked no more.
_FINE_GAIN = 0.05
# Where alpha begins, in units of the kernel.
_FIRST_ALPHA = 0.1
# Of many rows the finalists are judged on as many landmarks as rank them as the fit will.
_LANDMARKS, _LANDMARK_ROWS = 1000, 8000


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
        width = "" if self.kernel[place] == "linear" else f", gamma {self.gamma[place]:.3g}"
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


@dataclass(frozen=True)
class Rule:
    """How candidates are judged: a rule's name, and the scoring it makes of targets."""

    name: str
    scoring: Callable[[Rows], Scoring]

    @classmethod
    def of(cls, scoring: Any, classes: Any) -> "Rule":
        """The scoring that the caller gives; left-out log-loss where there is none."""
        if scoring is None:
            return cls(NegLogLoss.name, NegLogLoss)
        label = scoring if isinstance(scoring, str) else "scoring"
        return cls(label, lambda part: make_scoring(scoring, part, classes))


@dataclass
class _Standing:
    """Where a candidate stands: what its last sample said."""

    kernel: Kernel
    alpha: float = _FIRST_ALPHA
    score: float = -np.inf
    accuracy: float = 0.0
    rows: int = 0
    landmarks: int = 0


def judge(
    problem: RidgeProblem,
    kernels: Sequence[Kernel],
    rule: Rule,
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
    rule : Rule
    whole : bool
        Whether the fit will use the whole kernel. Else a kernel of slow spectrum that leads is
        last judged on landmarks, beside the best of the others: it wins on few rows and loses
        on few landmarks.
    seed : int, of the samples
    folds : Folds or None
        Rows that leave together; then no last word is spoken on landmarks.
    finer : bool, whether widths beside that of the best are tried too
    """
    standings = [_Standing(kernel) for kernel in kernels]
    order = stratified_order(problem.targets.y, np.random.default_rng(seed))
    n_rows, n_classes = len(order), problem.targets.n_classes
    first = min(n_rows, max(_FIRST_ROWS, _ROWS_PER_CLASS * n_classes))
    first = n_rows if n_rows < 1.5 * first else first
    second = min(n_rows // 2, max(_SECOND_ROWS, 2 * first))
    _hear(problem, standings, order[:first], rule, folds, 10.0)
    if finer:
        between = _beside(_near(standings)[0])
        _hear(problem, between, order[:first], rule, folds, 10.0)
        standings += between
    progress(0.4)
    near = _near(standings)
    if second > first and len(near) > 1:
        _hear(problem, near, order[:second], rule, folds, 10.0**0.5)
        near = _near(near)
    progress(0.8)
    rivals = _best_of_each_kind(near)
    # A fast spectrum that leads on few rows leads by more on few landmarks.
    doubtful = near[0].kernel.slow_spectrum and len(rivals) > 1
    if doubtful and not whole and folds is None and n_rows > _LANDMARKS:
        for standing in rivals:
            _hear_on_landmarks(problem, standing, np.sort(order[:_LANDMARK_ROWS]), rule)
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


def _hear(
    problem: RidgeProblem,
    standings: Sequence[_Standing],
    sample: Indices,
    rule: Rule,
    folds: Folds | None,
    step: float,
) -> None:
    """Score candidates by the whole kernel of a sample, in single precision."""
    sample = np.sort(sample)
    targets = problem.targets.take(sample)
    rows = problem.X[sample].astype(np.float32)
    leave = _Leaving(rule, targets, _of_sample(folds, sample))
    squares: dict[int, Floats] = {}
    leader, usual = -np.inf, _FIRST_ALPHA
    for standing in standings:
        kernel = standing.kernel
        if kernel.radial:
            key = id(kernel.scale)
            if key not in squares:
                squares = {key: squared_distances(kernel.scaled(rows))}
            matrix = kernel.of_squares(squares[key])
        else:
            matrix = kernel.matrix(rows)
        unit = float(np.mean(np.diagonal(matrix)))
        if not standing.rows:
            # In units of the kernel, whatever its scale, from where the last one ended.
            standing.alpha = usual * unit
        spectrum = CholeskySpectrum(WeightedKernel.of(matrix, targets, problem.intercept))
        _climb(standing, spectrum, leave, step, leader)
        standing.rows, usual = len(sample), standing.alpha / unit
        leader = max(leader, standing.score)


def _hear_on_landmarks(
    problem: RidgeProblem, standing: _Standing, sample: Indices, rule: Rule
) -> None:
    """Score a candidate as projected on landmarks."""
    targets = problem.targets.take(sample)
    landmarks = np.random.default_rng(0).choice(len(sample), _LANDMARKS, replace=False)
    rows = problem.X[sample].astype(np.float32)
    part = replace(problem, X=rows, kernel=standing.kernel, targets=targets)
    growing = GrowingLandmarks(part.columns)
    growing.grow(landmarks)
    n_asked = min(len(sample), _SECOND_ROWS)
    asked = np.random.default_rng(1).choice(len(sample), n_asked, replace=False)
    spectrum = part.few_alphas(growing).sample(asked)
    _climb(standing, spectrum, _Leaving(rule, targets.take(asked), None), 10.0**0.5)
    standing.rows, standing.landmarks = len(sample), _LANDMARKS


def _of_sample(folds: Folds | None, sample: Indices) -> Folds | None:
    """The folds of the rows of a sample, in their numbering."""
    if folds is None:
        return None
    staying = np.zeros(folds.n_rows, dtype=bool)
    staying[sample] = True
    return folds.without(staying)


class _Leaving:
    """Scores of left-out rows: one row or one fold at a time."""

    def __init__(self, rule: Rule, targets: Rows, folds: Folds | None) -> None:
        self._folds = folds
        if folds is not None:
            targets = targets.take(folds.covered)
        self._scoring, self._hits = rule.scoring(targets), Accuracy(targets)

    def _result(self, spectrum: Spectrum, alpha: float) -> LeaveOneOut:
        if self._folds is None:
            return spectrum.roughly(alpha)[0]
        return spectrum.leave_out(self._folds, alpha).take(self._folds.covered)

    def score(self, spectrum: Spectrum, alpha: float) -> float:
        result = self._result(spectrum, alpha)
        if not (result.slack > 0).all():
            return -np.inf  # Single precision has lost a row: alpha is too small for it.
        return self._scoring.of_result(result)

    def accuracy(self, spectrum: Spectrum, alpha: float) -> float:
        return self._hits.of_result(self._result(spectrum, alpha))


def _climb(
    standing: _Standing,
    spectrum: Spectrum,
    leave: _Leaving,
    step: float,
    leader: float = -np.inf,
) -> None:
    """Move alpha by a factor while the score rises, from where the candidate stands.

    `leader` is the best score of those heard before.
    """

    def score(alpha: float) -> float:
        return leave.score(spectrum, alpha)

    alpha, best = standing.alpha, score(standing.alpha)
    behind = step < 10 and leader - best > _FINE_GAIN * abs(leader)
    floor = 1e-8 * float(spectrum.eigenvalues[-1])
    for factor in () if behind else (1 / step, step):
        moved = False
        while floor <= alpha * factor <= spectrum.eigenvalues[-1]:
            value = score(alpha * factor)
            if value <= best:
                break
            gain = value - best
            alpha, best, moved = alpha * factor, value, True
            if gain < _LEAST_GAIN * abs(best) or leader - best > _HOPELESS_LAG * gain:
                break
        if moved:
            break
    standing.alpha, standing.score = alpha, best
    standing.accuracy = leave.accuracy(spectrum, alpha)


def _near(standings: Sequence[_Standing]) -> list[_Standing]:
    """Those near the best, the best first."""
    ranked = sorted(standings, key=lambda standing: -standing.score)
    best = ranked[0].score
    return [s for s in ranked if s.score >= best - _FINALIST_SHORTFALL * abs(best)][:_FINALISTS]


def _beside(best: _Standing) -> list[_Standing]:
    """The same kernel at widths beside its own; an exponential kernel hardly feels its width."""
    kernel = best.kernel
    if kernel.name == "linear" or kernel.slow_spectrum:
        return []
    return [_Standing(replace(kernel, gamma=factor * kernel.gamma)) for factor in _FINER_WIDTHS]


def _best_of_each_kind(standings: Sequence[_Standing]) -> list[_Standing]:
    """The first of those whose spectrum falls slowly and the first of the others."""
    slow = [s for s in standings if s.kernel.slow_spectrum]
    fast = [s for s in standings if not s.kernel.slow_spectrum]
    return slow[:1] + fast[:1]


def _table(standings: Sequence[_Standing], rule: str) -> Candidates:
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
