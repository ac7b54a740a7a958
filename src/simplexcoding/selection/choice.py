"""The joint choice of kernel parameter and regularisation, one factorisation for each kernel."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design import CholeskySpectrum, FeatureSpectrum, Folds
from simplexcoding.selection.calibrated import CalibratedScoring
from simplexcoding.selection.grids import auto_grid
from simplexcoding.selection.path import Path, RidgePath
from simplexcoding.selection.pilot import is_dear, landmark_pilot, row_pilot
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_all, search_few, search_pilot
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem


def choose(
    problems: Sequence[RidgeProblem],
    alphas: Floats | None,
    scoring: Scoring,
    folds: Folds | None,
    progress: Callable[[float], None],
) -> tuple[RidgePath, RidgeFactor, float]:
    """Best problem and alpha by left-out score; alphas None is the automatic grid."""
    paths: list[Path] = []
    kept: RidgeFactor | None = None
    for g, problem in enumerate(problems):

        def part(fraction: float, done: int = g) -> None:
            progress((done + fraction) / len(problems))

        factor = problem.factorise()
        paths.append(_path(factor, alphas, scoring, folds, part))
        if kept is None or paths[-1].merit > max(path.merit for path in paths[:-1]):
            kept = factor
    path = RidgePath.of([problem.kernel.gamma for problem in problems], paths)
    assert kept is not None
    return path, kept, float(path.alphas[path.best])


def _path(
    factor: RidgeFactor,
    alphas: Floats | None,
    scoring: Scoring,
    folds: Folds | None,
    progress: Callable[[float], None],
) -> Path:
    spectrum = factor.spectrum
    if alphas is None:
        alphas = _grid(factor)
    if folds is None and len(alphas) > 3:
        if isinstance(spectrum, CholeskySpectrum):
            pilot = landmark_pilot(spectrum.kernel, alphas, scoring)
            return search_few(spectrum, pilot, scoring, progress)
        if isinstance(spectrum, FeatureSpectrum) and isinstance(scoring, CalibratedScoring):
            return search_pilot(spectrum, row_pilot(spectrum, alphas, scoring), scoring)
        if isinstance(spectrum, FeatureSpectrum) and is_dear(spectrum, len(alphas)):
            pilot = row_pilot(spectrum, alphas, scoring)
            return search_few(spectrum, pilot, scoring, progress)
    return search_all(spectrum, alphas, scoring, folds, progress)


def _grid(factor: RidgeFactor) -> Floats:
    problem, spectrum = factor.problem, factor.spectrum
    targets = problem.targets
    # Repeated rows and integer weights must give one grid.
    n_rows = max(float(len(targets)), targets.total)
    dtype: Any = np.float64 if isinstance(spectrum, FeatureSpectrum) else problem.X.dtype
    return auto_grid(
        spectrum.eigenvalues, max(n_rows, problem.X.shape[1]), float(np.finfo(dtype).eps)
    )
