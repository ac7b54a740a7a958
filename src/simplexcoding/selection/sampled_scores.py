"""Candidates scored on samples: by left-out rows, at alphas that climb."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from simplexcoding.arrays import Floats, Indices, single_where_it_serves
from simplexcoding.design import CholeskySpectrum, Folds, LeaveOneOut, Spectrum, WeightedKernel
from simplexcoding.design.landmark_features import LandmarkFeatures
from simplexcoding.kernels import Kernel, squared_distances
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import Accuracy, NegLogLoss, Scoring, make_scoring
from simplexcoding.solvers.ridge import RidgeProblem

# A step of alpha that gains less than this share of the score is the last one, and so is one
# after which a candidate is still behind the best by this many times what the step gained.
_LEAST_GAIN, _HOPELESS_LAG = 0.003, 3.0
# What half a decade of alpha may gain, as a share of the score: a finalist that is further
# behind the best where it starts is asked no more.
_FINE_GAIN = 0.05
# Where alpha begins, in units of the kernel.
_FIRST_ALPHA = 0.1
# As many landmarks as rank candidates as the fit will, and rows that are asked on them.
LANDMARKS, _LANDMARK_ASKED = 1000, 2500


@dataclass(frozen=True)
class JudgingRule:
    """How candidates are judged: a rule's name, and the scoring it makes of targets."""

    name: str
    scoring: Callable[[Rows], Scoring]

    @classmethod
    def of(cls, scoring: Any, classes: Any) -> "JudgingRule":
        """The scoring that the caller gives; left-out log-loss where there is none."""
        if scoring is None:
            return cls(NegLogLoss.name, NegLogLoss)
        label = scoring if isinstance(scoring, str) else "scoring"
        return cls(label, lambda part: make_scoring(scoring, part, classes))


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a candidate stands: what its last sample said.

    Parameters
    ----------
    kernel : Kernel
    alpha : float, default=0.1, where it was best
    score : float, default=-inf
    accuracy : float, default=0.0
    rows, landmarks : int, default=0, of the last sample
    """

    kernel: Kernel
    alpha: float = _FIRST_ALPHA
    score: float = -np.inf
    accuracy: float = 0.0
    rows: int = 0
    landmarks: int = 0


def score_on_sample(
    problem: RidgeProblem,
    standings: Sequence[Standing],
    sample: Indices,
    rule: JudgingRule,
    folds: Folds | None,
    step: float,
) -> list[Standing]:
    """Score candidates by the whole kernel of a sample, in single precision.

    Those on raw and on scaled features are scored side by side, on one BLAS thread each: for
    so few rows two of them together are slower.
    """
    sample = np.sort(sample)
    targets = problem.targets.take(sample)
    rows = single_where_it_serves(problem.X[sample])
    leave = Leaving(rule, targets, _of_sample(folds, sample))
    groups: dict[int, list[int]] = {}
    for place, standing in enumerate(standings):
        groups.setdefault(id(standing.kernel.scale), []).append(place)

    def score_group(places: list[int]) -> list[Standing]:
        group = [standings[place] for place in places]
        return _in_turn(problem, group, rows, targets, leave, step)

    if len(groups) < 2:
        return score_group(list(range(len(standings))))
    allowed = max((library["num_threads"] for library in threadpool_info()), default=1)
    with threadpool_limits(1), ThreadPoolExecutor(min(allowed, len(groups))) as pool:
        scored = list(pool.map(score_group, groups.values()))
    found = dict(zip(chain(*groups.values()), chain(*scored), strict=True))
    return [found[place] for place in range(len(standings))]


def _in_turn(
    problem: RidgeProblem,
    standings: Sequence[Standing],
    rows: Any,
    targets: Rows,
    leave: "Leaving",
    step: float,
) -> list[Standing]:
    """Score candidates of one scaling, each from where the last one ended."""
    squares: Floats | None = None
    leader, usual, found = -np.inf, _FIRST_ALPHA, []
    for standing in standings:
        kernel = standing.kernel
        if kernel.radial:
            if squares is None:
                squares = squared_distances(kernel.scaled(rows))
            matrix = kernel.of_squares(squares)
        else:
            matrix = kernel.matrix(rows)
        unit = float(np.mean(np.diagonal(matrix)))
        if not standing.rows:
            # In units of the kernel, whatever its scale, from where the last one ended.
            standing = replace(standing, alpha=usual * unit)
        spectrum = CholeskySpectrum(WeightedKernel.of(matrix, targets, problem.intercept))
        standing = _climbed(standing, spectrum, leave, step, leader)
        found.append(replace(standing, rows=len(targets)))
        usual, leader = standing.alpha / unit, max(leader, standing.score)
    return found


def score_on_landmarks(
    problem: RidgeProblem, standing: Standing, sample: Indices, rule: JudgingRule
) -> Standing:
    """Score a candidate as projected on landmarks."""
    targets = problem.targets.take(sample)
    landmarks = np.random.default_rng(0).choice(len(sample), LANDMARKS, replace=False)
    rows = single_where_it_serves(problem.X[sample])
    part = replace(problem, X=rows, kernel=standing.kernel, targets=targets)
    marked = LandmarkFeatures(part.columns)
    marked.add(landmarks)
    n_asked = min(len(sample), _LANDMARK_ASKED)
    asked = np.random.default_rng(1).choice(len(sample), n_asked, replace=False)
    spectrum = part.few_alphas(marked).sample(asked)
    standing = _climbed(standing, spectrum, Leaving(rule, targets.take(asked), None), 10.0**0.5)
    return replace(standing, rows=len(sample), landmarks=LANDMARKS)


def _of_sample(folds: Folds | None, sample: Indices) -> Folds | None:
    """The folds of the rows of a sample, in their numbering."""
    if folds is None:
        return None
    staying = np.zeros(folds.n_rows, dtype=bool)
    staying[sample] = True
    return folds.without(staying)


class Leaving:
    """Scores of left-out rows: one row or one fold at a time.

    Parameters
    ----------
    rule : JudgingRule
    targets : Rows
    folds : Folds or None
    """

    def __init__(self, rule: JudgingRule, targets: Rows, folds: Folds | None) -> None:
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


def _climbed(
    standing: Standing,
    spectrum: Spectrum,
    leave: Leaving,
    step: float,
    leader: float = -np.inf,
) -> Standing:
    """Move alpha by a factor while the score rises, from where the candidate stands.

    `leader` is the best score of those before.
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
    accuracy = leave.accuracy(spectrum, alpha)
    return replace(standing, alpha=alpha, score=best, accuracy=accuracy)
