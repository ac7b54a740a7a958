"""The joint choice of kernel parameter and regularisation, one factorisation for each kernel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.design import CholeskySpectrum, FeatureSpectrum, Folds
from simplexcoding.selection.calibrated import CalibratedScoring
from simplexcoding.selection.grids import auto_grid
from simplexcoding.selection.pilot import is_dear, landmark_pilot, row_pilot
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import Path, search_all, search_few, search_pilot
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem


@dataclass(frozen=True)
class RidgePath:
    """Left-out results along the regularisation path, one row for each gamma.

    Parameters
    ----------
    gammas : (g,) array
    alphas : (g, k) array, falling
    score, squared_error : (g, k) arrays
    effective_dimension : (g, k) array, exact; NaN where it is not known
    exact : (g, k) array; where False score and squared error are interpolated
    best : (int, int), place of the chosen gamma and alpha
    """

    gammas: Floats
    alphas: Floats
    score: Floats
    squared_error: Floats
    effective_dimension: Floats
    exact: Bools
    best: tuple[int, int]

    @classmethod
    def of(cls, gammas: Sequence[float], paths: Sequence[Path]) -> "RidgePath":
        """Gather the paths of all gammas and mark the best place."""
        best = max(range(len(paths)), key=lambda g: _merit(paths[g]))
        names = ("alphas", "score", "squared_error", "effective_dimension", "exact")
        stacked = {name: np.stack([getattr(path, name) for path in paths]) for name in names}
        return cls(np.array(gammas), **stacked, best=(best, paths[best].best))


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
        if kept is None or _merit(paths[-1]) > max(_merit(path) for path in paths[:-1]):
            kept = factor
    path = RidgePath.of([problem.kernel.gamma for problem in problems], paths)
    assert kept is not None
    return path, kept, float(path.alphas[path.best])


def _merit(path: Path) -> tuple[float, float]:
    return float(path.score[path.best]), -float(path.squared_error[path.best])


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
