"""A whole kernel at the alpha that half of its rows prefer.

Half of the rows cost an eighth, and what they say of alpha hardly depends on their number.
"""

from collections.abc import Callable

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.selection.candidates import stratified_order
from simplexcoding.selection.grids import grid_of
from simplexcoding.selection.least_log_loss import Look
from simplexcoding.selection.path import Path
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import NegLogLoss, Scoring
from simplexcoding.selection.search import corrected_pilot, search_near
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem

# Questions to the whole kernel: where accuracy decides, the log-loss of half of the rows says
# calmly enough where it is best.
_QUESTIONS, _QUESTIONS_IF_CALM = 2, 1
# The alpha of all rows in units of that of half of them.
_OF_WHOLE = 0.6
# Kernel values in single precision keep left-out scores to about 5e-4 down to this fraction of
# the largest eigenvalue.
SAFE_VALUES = 1e-6
# What single precision, a third of the cost, may lose of the log-loss: a share, or so much; of
# a small loss a hundredth is a row or two.
_SHARE_SINGLE_MAY_LOSE, _LOSS_SINGLE_MAY_ADD = 0.01, 5e-4


def choose_by_half(
    problem: RidgeProblem,
    alphas: Floats | None,
    scoring: Scoring,
    seed: int,
    near: float | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
) -> tuple[Path, RidgeFactor]:
    """The path of a whole kernel, by a few alphas of half of its rows and one or two of all.

    A radial kernel is made in single precision where its alpha allows it.

    Parameters
    ----------
    problem : RidgeProblem without landmarks, of more rows than are given eigenvectors
    alphas : (k,) array, falling; or None for the automatic grid
    scoring : Scoring of all rows
    seed : int, of the half
    near : float or None, an alpha near the best where one is known
    """
    single = problem.kernel.radial
    factor = problem.factorise_single() if single else problem.factorise()
    spectrum = factor.spectrum
    if alphas is None:
        alphas = grid_of(spectrum, len(problem.targets))
    order = stratified_order(problem.targets.y, np.random.default_rng(seed))
    rows = np.sort(order[: len(order) // 2])
    half, scoring_of_half = spectrum.alone(rows), scoring.rows(rows)
    shape = row_pilot(half.stand_in(len(alphas)) or half, alphas, scoring_of_half, stands_in=True)
    progress(0.2)
    look = Look.along(NegLogLoss(half.targets), alphas)
    valley = look.descend(half, shape.best if near is None else look.nearest(near))
    pilot = corrected_pilot(half, shape, scoring_of_half, valley.places)
    progress(0.5)
    calmly = scoring.noisy
    start = look.nearest(_OF_WHOLE * look.between(valley.bottom)) if calmly else pilot.best
    if single and alphas[start] < SAFE_VALUES * spectrum.eigenvalues[-1]:
        safe = int(np.count_nonzero(alphas >= SAFE_VALUES * spectrum.eigenvalues[-1])) - 1
        allowed = max(_SHARE_SINGLE_MAY_LOSE * valley.loss, _LOSS_SINGLE_MAY_ADD)
        if look.loss(half, safe) <= valley.loss + allowed:
            start = safe
        else:
            del factor, spectrum, half  # Memory for the larger one.
            factor = problem.factorise_finely()
    most = _QUESTIONS_IF_CALM if calmly else _QUESTIONS
    path = search_near(
        factor.spectrum, pilot, scoring, start, most, lambda part: progress(0.5 + 0.5 * part)
    )
    return path, factor
