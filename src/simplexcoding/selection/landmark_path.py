"""How many landmarks are enough: their number doubles while left-out rows gain by it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design import FeatureCholesky, FeatureSpectrum
from simplexcoding.design.growing import GrowingLandmarks
from simplexcoding.selection.grids import auto_grid
from simplexcoding.selection.path import Path
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import NegLogLoss, Scoring
from simplexcoding.selection.search import corrected_pilot
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem

# The number begins here, or at so many a class, and doubles.
_FIRST, _PER_CLASS = 500, 2
# Twice the landmarks must lower the log-loss by this share, or they were enough.
_GAIN = 0.01
# A third of the rows costs as much as two factorisations of the whole kernel; where the last
# doubling still took this share and this much off the log-loss, the whole kernel pays.
_SHARE, _LARGE_SHARE, _LARGE_GAIN = 1 / 3, 0.05, 0.005
# A last step is larger than this factor: the gain of a small one is noise.
_LAST_STEP = 1.4
# Rows whose left-out scores tell whether more landmarks help.
_ASKED = 2000
# Decades by which alpha moves in search of a lower log-loss.
_STEP = 0.5


@dataclass(frozen=True, eq=False)
class LandmarkPath:
    """Left-out log-loss as landmarks were added.

    Parameters
    ----------
    landmarks : (k,) array, rising; the last is in use, n means the whole kernel
    log_loss : (k,) array, of some left-out rows, after a temperature fitted to them; NaN
        where more landmarks were taken without asking
    """

    landmarks: Indices
    log_loss: Floats


def enough_landmarks(
    problem: RidgeProblem,
    order: Indices,
    alphas: Floats | None,
    scoring: Scoring,
    whole_rows: int,
    most: int,
    progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[RidgeFactor, Path, LandmarkPath]:
    """A factorised problem on as many landmarks as pay, a pilot of its path, and the way there.

    Every step uses the features of the last, so that all of them cost little more than the
    last alone.

    Parameters
    ----------
    problem : RidgeProblem without landmarks
    order : (M,) array of distinct rows, in the order in which they become landmarks
    alphas : (k,) array, falling; or None for the automatic grid
    scoring : Scoring of the pilot
    whole_rows : int
        Up to this many rows the whole kernel follows where half of the rows are not enough.
    most : int, the largest number of landmarks that memory allows
    """
    n_rows = len(problem.targets)
    limit = min(len(order), most)
    if n_rows <= whole_rows:
        limit = min(limit, max(_FIRST, round(_SHARE * n_rows)))
    size = min(limit, max(_FIRST, _PER_CLASS * problem.targets.n_classes))
    size = size if _LAST_STEP * size < limit else limit
    growing = GrowingLandmarks(problem.columns, order)
    growing.grow(size)
    spectrum = problem.few_alphas(growing)
    if alphas is None:
        alphas = auto_grid(spectrum.eigenvalues, n_rows, float(np.finfo(np.float64).eps))
    shape = _first_pilot(spectrum, alphas, scoring)
    asked = np.sort(np.random.default_rng(0).permutation(n_rows)[:_ASKED])
    judge = NegLogLoss(problem.targets.take(asked))
    place, stride = shape.best, _stride(alphas)
    sizes: list[int] = []
    losses: list[float] = []
    while True:
        part = spectrum.sample(asked)
        place, loss, places = _descend(part, judge, alphas, place, stride)
        sizes.append(size)
        losses.append(loss)
        progress(min(1.0, size / limit))
        gain = _gain(sizes, losses)
        if gain <= _GAIN or size == limit:
            break
        size = _next(size, limit)
        growing.grow(size)
        spectrum = problem.few_alphas(growing)
    pilot = corrected_pilot(part, shape, scoring.rows(asked), places)
    large = gain > _LARGE_SHARE and gain * losses[-1] > _LARGE_GAIN
    if size == limit and n_rows <= whole_rows and large:
        path = LandmarkPath(np.array([*sizes, n_rows]), np.array([*losses, np.nan]))
        return problem.factorise(), pilot, path
    path = LandmarkPath(np.array(sizes), np.array(losses))
    projected = replace(problem, landmarks=growing.landmarks)
    return RidgeFactor(projected, spectrum, growing.map), pilot, path


def _next(size: int, limit: int) -> int:
    """Twice as many; the limit itself where it lies just beyond."""
    return 2 * size if _LAST_STEP * 2 * size < limit else limit


def _gain(sizes: list[int], losses: list[float]) -> float:
    """Share of the log-loss that the last step took off, as if it had doubled the landmarks."""
    if len(losses) < 2:
        return np.inf
    doublings = np.log2(sizes[-1] / sizes[-2])
    return 1 - float(losses[-1] / max(losses[-2], np.finfo(float).tiny)) ** (1 / doublings)


def _first_pilot(spectrum: FeatureCholesky, alphas: Floats, scoring: Scoring) -> Path:
    """Every alpha on the first landmarks: the shape of the path."""
    eigen = FeatureSpectrum(spectrum.features, spectrum.targets, spectrum.moments)
    return row_pilot(eigen, alphas, scoring)


def _stride(alphas: Floats) -> int:
    """Places of the grid that make half a decade."""
    if len(alphas) == 1:
        return 1
    spacing = np.log10(alphas[0] / alphas[-1]) / (len(alphas) - 1)
    return max(1, round(_STEP / float(spacing)))


def _descend(
    spectrum: FeatureCholesky, judge: NegLogLoss, alphas: Floats, place: int, stride: int
) -> tuple[int, float, list[int]]:
    """Place of the least log-loss near the given one, the loss there, and all places asked."""
    losses: dict[int, float] = {}

    def loss(at: int) -> float:
        if at not in losses:
            losses[at] = -judge.of_result(spectrum.leave_one_out(float(alphas[at])))
        return losses[at]

    for way in (stride, -stride):
        while 0 <= place + way < len(alphas) and loss(place + way) < loss(place):
            place += way
    return place, loss(place), sorted(losses)
