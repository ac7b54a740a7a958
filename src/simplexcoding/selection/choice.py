"""The joint choice of kernel parameter and regularisation, one factorisation for each kernel."""

from collections.abc import Callable, Sequence

from simplexcoding.arrays import Floats
from simplexcoding.design import Folds
from simplexcoding.selection.grids import auto_grid
from simplexcoding.selection.path import Path, RidgePath
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_all, search_few, search_pilot
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem

# So few alphas are asked without a look ahead.
_ASKED_AT_ONCE = 3


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
    stand_in = None
    if folds is None and len(alphas) > _ASKED_AT_ONCE:
        stand_in = spectrum.stand_in(len(alphas), scoring.cheap)
    if stand_in is None:
        return search_all(spectrum, alphas, scoring, folds, progress)
    pilot = row_pilot(stand_in, alphas, scoring, stands_in=stand_in is not spectrum)
    if stand_in is spectrum and not scoring.cheap:
        return search_pilot(spectrum, pilot, scoring)
    return search_few(spectrum, pilot, scoring, progress)


def _grid(factor: RidgeFactor) -> Floats:
    problem, spectrum = factor.problem, factor.spectrum
    targets = problem.targets
    # Repeated rows and integer weights must give one grid.
    n_rows = max(float(len(targets)), targets.total)
    return auto_grid(spectrum.eigenvalues, max(n_rows, problem.X.shape[1]), spectrum.rounding)
