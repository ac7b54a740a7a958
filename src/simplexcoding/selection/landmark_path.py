"""How many landmarks are enough: their number doubles while left-out rows gain by it.

The first are drawn, those that follow are the rows that the model so far finds hardest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simplexcoding.arrays import Floats, Indices, leads, slices
from simplexcoding.design import FeatureCholesky, FeatureSpectrum, Spectrum
from simplexcoding.design.design import Basis
from simplexcoding.design.landmark_features import LandmarkFeatures
from simplexcoding.design.moments import BLOCK
from simplexcoding.design.spectra.feature_cholesky import SAFE_SINGLE as SAFE_FEATURES
from simplexcoding.selection.grids import grid_of
from simplexcoding.selection.least_log_loss import Look
from simplexcoding.selection.path import Path
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import NegLogLoss, Scoring
from simplexcoding.selection.search import corrected_pilot
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem

# The number begins here, or at so many a class, and doubles.
_FIRST_LANDMARKS, _LANDMARKS_PER_CLASS = 500, 2
# Twice the landmarks must lower the log-loss by this share and by this much, or they were
# enough: of a small loss a hundredth is a row or two. A step below the share is given back.
_LEAST_SHARE_GAINED, _LEAST_GAIN = 0.01, 5e-4
# The last step before a bound of memory is larger than this factor: the gain of a small one
# is noise.
_LAST_STEP = 1.4
# Rows whose left-out scores tell whether more landmarks help. They never become landmarks,
# which are predicted better than new rows; so they are no more than this share.
_JUDGED_ROWS, _JUDGED_SHARE = 2000, 1 / 3
# Features are made in single precision from this many operations on, rows times squared
# landmarks, where rounding adds no more than this share of alpha to their scatter.
_MANY_OPERATIONS, _MOST_NOISE = 1e9, 0.01


@dataclass(frozen=True, eq=False)
class LandmarkPath:
    """Left-out log-loss as landmarks were added.

    Parameters
    ----------
    landmarks : (k,) array, rising. In use is the last one, or the one before it where the last
        step gained next to nothing.
    log_loss : (k,) array, of some left-out rows, after a temperature fitted to them
    """

    landmarks: Indices
    log_loss: Floats


def enough_landmarks(
    problem: RidgeProblem,
    order: Indices,
    alphas: Floats | None,
    scoring: Scoring,
    most: int,
    progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[RidgeFactor, Path, int, LandmarkPath]:
    """A factorised problem on as many landmarks as pay, and a pilot of its path.

    With the place of least log-loss on that path, and the way to the number of landmarks.

    Every step uses the features of the last, so that all of them cost little more than the
    last alone. Its new landmarks are the rows of least margin in the model of the last.

    Parameters
    ----------
    problem : RidgeProblem without landmarks
    order : (M,) array of distinct rows; the first become landmarks, the last judge
    alphas : (k,) array, falling; or None for the automatic grid
    scoring : Scoring of the pilot
    most : int, the largest number of landmarks that memory allows
    """
    n_rows = len(problem.targets)
    n_judged = min(_JUDGED_ROWS, round(_JUDGED_SHARE * len(order)))
    pool, asked = np.split(order, [len(order) - n_judged])
    asked = np.sort(asked)
    limit = min(len(pool), most)
    size = min(limit, max(_FIRST_LANDMARKS, _LANDMARKS_PER_CLASS * problem.targets.n_classes))
    marked = LandmarkFeatures(problem.columns)
    marked.add(pool[:size])
    spectrum = problem.few_alphas(marked)
    if alphas is None:
        alphas = grid_of(spectrum, n_rows)
    # Every alpha on the first landmarks: the shape of the path.
    eigen = FeatureSpectrum(spectrum.features, problem.targets, spectrum.moments)
    shape = row_pilot(eigen, alphas, scoring)
    judge = NegLogLoss(problem.targets.take(asked))
    look = Look.along(judge, alphas)
    steps = [_Step(marked, spectrum, eigen.sample(asked), look, shape.best)]
    while True:
        progress(min(1.0, size / limit))
        following = _next(size, limit)
        if following == size or _was_enough(steps):
            break
        last = steps[-1]
        many = n_rows * float(following) ** 2 >= _MANY_OPERATIONS
        radial = problem.kernel.radial and not marked.single
        if many and radial and _is_precise(marked, last, look):
            marked.in_single()
        marked.add(_hardest(last, pool, alphas, following - size))
        size = following
        spectrum = problem.few_alphas(marked)
        step = _Step(marked, spectrum, spectrum.sample(asked), look, last.place)
        if marked.single and not _is_precise(marked, step, look):
            marked = LandmarkFeatures(problem.columns)
            marked.add(step.landmarks)
            spectrum = problem.few_alphas(marked)
            step = _Step(marked, spectrum, spectrum.sample(asked), look, step.place)
        steps.append(step)
    # What gained next to nothing is not kept: the smaller model answers and predicts faster.
    last = steps[-2] if _gain(steps) <= _LEAST_SHARE_GAINED else steps[-1]
    pilot = corrected_pilot(last.part, shape, scoring.rows(asked), last.places)
    sizes = [step.size for step in steps]
    losses = [step.loss for step in steps]
    path = LandmarkPath(np.array(sizes), np.array(losses))
    projected = replace(problem, landmarks=last.landmarks)
    basis = Basis(problem.X, problem.kernel, projected.landmarks, last.map)
    return RidgeFactor(projected, last.spectrum, basis), pilot, last.place, path


class _Step:
    """One number of landmarks: its model, and the least log-loss of some left-out rows."""

    def __init__(
        self,
        marked: LandmarkFeatures,
        spectrum: FeatureCholesky,
        part: Spectrum,
        look: Look,
        near: int,
    ) -> None:
        self.size, self.map = len(marked.landmarks), marked.map
        self.landmarks = marked.landmarks
        self.spectrum, self.part = spectrum, part
        found = look.descend(part, near)
        self.place, self.loss, self.places = found.place, found.loss, found.places


def _hardest(step: _Step, pool: Indices, alphas: Floats, count: int) -> Indices:
    """The rows of a pool with the least lead of their own class over the others.

    They lie where classes meet, and there a function needs its landmarks.
    """
    rows = np.setdiff1d(pool, step.landmarks)
    found, features = step.part.coefficients(float(alphas[step.place])), step.spectrum.features
    weights = found.weights.astype(features.dtype)
    y, lead = step.spectrum.targets.y[rows], np.empty(len(rows))
    for block in slices(len(rows), BLOCK):
        scores = features[rows[block]] @ weights + found.intercept
        lead[block] = leads(scores, y[block])
    return rows[np.argsort(lead, kind="stable")[:count]]


def _next(size: int, limit: int) -> int:
    """Twice as many; or, at the end, as many as memory allows."""
    return 2 * size if _LAST_STEP * 2 * size < limit else limit


def _gain(steps: Sequence[_Step]) -> float:
    """Share of the log-loss that the last step took off, as if it had doubled the landmarks."""
    if len(steps) < 2:
        return np.inf
    before, last = steps[-2:]
    doublings = np.log2(last.size / before.size)
    return 1 - float(last.loss / max(before.loss, np.finfo(float).tiny)) ** (1 / doublings)


def _was_enough(steps: Sequence[_Step]) -> bool:
    """Whether the last step gained next to nothing."""
    gain = _gain(steps)
    return gain <= _LEAST_SHARE_GAINED or gain * steps[-1].loss <= _LEAST_GAIN


def _is_precise(marked: LandmarkFeatures, step: _Step, look: Look) -> bool:
    """Whether features in single precision serve at the alpha of a step."""
    alpha = float(look.alphas[step.place])
    enough = alpha >= SAFE_FEATURES * step.spectrum.eigenvalues[-1]
    return bool(enough and marked.noise() <= _MOST_NOISE * alpha)
