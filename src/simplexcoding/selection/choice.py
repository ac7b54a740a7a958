"""The joint choice of kernel parameter and regularisation, one factorisation for each kernel."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design import Folds, Spectrum
from simplexcoding.design.design import (
    EIGEN_ROWS,
    EXACT_ROWS,
    drawn_landmarks,
    most_landmarks,
)
from simplexcoding.kernels import distinct_sample
from simplexcoding.selection.alpha_by_half import choose_by_half
from simplexcoding.selection.grids import grid_of
from simplexcoding.selection.landmark_path import LandmarkPath, enough_landmarks
from simplexcoding.selection.path import Path
from simplexcoding.selection.pilot import row_pilot
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_all, search_near
from simplexcoding.selection.search_by_rivals import search_around
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem

# So few alphas are asked without a look ahead.
_ASKED_AT_ONCE = 3
# Alphas that are asked around the best of a pilot: of many landmarks, where each takes seconds
# and some rows have chosen by their log-loss, that one alone.
_LANDMARK_ALPHAS, _FITTED_ALPHAS = 4, 3
# Rows times squared landmarks, the operations of one alpha, that count as many.
_MANY_OPERATIONS = 5e10
# Landmarks that follow the first are chosen, and do with fewer than drawn ones.
_MOST_CHOSEN = 3000

# The path, the factorised problem of its best place, the alpha there, and the way to the number
# of landmarks where that was chosen too.
Chosen: TypeAlias = tuple[Path, RidgeFactor, float, LandmarkPath | None]


@dataclass(frozen=True)
class Question:
    """What left-out rows are asked.

    Parameters
    ----------
    alphas : (k,) array, or None for the automatic grid
    scoring : Scoring
    folds : Folds, default=None
        Rows that leave together; None leaves out one at a time.
    progress : callable, default says nothing
        Told the fraction done.
    """

    alphas: Floats | None
    scoring: Scoring
    folds: Folds | None = None
    progress: Callable[[float], None] = lambda fraction: None


def may_be_whole(landmarks: Any, n_rows: int) -> bool:
    """Whether a fit of so many rows may use the whole kernel."""
    return landmarks is None or n_rows <= EXACT_ROWS


@dataclass(frozen=True)
class Settled:
    """Rows that kernels are projected on; None for the whole kernel, or the features themselves.

    Parameters
    ----------
    rows : (m,) array of row numbers, default=None
    """

    rows: Indices | None = None

    def choose(self, problems: Sequence[RidgeProblem], question: Question) -> Chosen:
        """Best problem and alpha by left-out score."""
        return *choose(problems, question), None


@dataclass(frozen=True)
class ByHalf:
    """A whole kernel whose alpha half of the rows choose; see `choose_by_half`.

    Parameters
    ----------
    seed : int
    near : float or None, an alpha near the best where one is known
    """

    seed: int
    near: float | None
    rows: ClassVar[None] = None

    def choose(self, problems: Sequence[RidgeProblem], question: Question) -> Chosen:
        """Alpha of the one problem, whose rows leave one at a time."""
        alphas = question.alphas
        if alphas is not None and len(alphas) <= _ASKED_AT_ONCE:
            return *choose(problems, question), None
        (problem,) = problems
        path, factor = choose_by_half(
            problem, alphas, question.scoring, self.seed, self.near, question.progress
        )
        return *_of_one(path, factor), None


@dataclass(frozen=True)
class Enough:
    """Landmarks as many as left-out rows ask for; see `enough_landmarks`.

    Parameters
    ----------
    order : array of row numbers, in which rows become landmarks
    most : int, the most landmarks
    """

    order: Indices
    most: int
    rows: ClassVar[None] = None

    def choose(self, problems: Sequence[RidgeProblem], question: Question) -> Chosen:
        """Number of landmarks and alpha of the one problem, whose rows leave one at a time."""
        (problem,), scoring, progress = problems, question.scoring, question.progress
        factor, pilot, calm, marks = enough_landmarks(
            problem,
            self.order,
            question.alphas,
            scoring,
            self.most,
            lambda fraction: progress(0.5 * fraction),
        )
        marked = factor.problem.landmarks
        assert marked is not None
        many = len(problem.targets) * float(len(marked)) ** 2 > _MANY_OPERATIONS
        most = 1 if many else _LANDMARK_ALPHAS

        def rest(fraction: float) -> None:
            progress(0.5 + 0.5 * fraction)

        if len(pilot.alphas) > _ASKED_AT_ONCE:
            # Accuracies of some rows are noisy; their log-loss says better where to ask.
            start = calm if scoring.noisy else pilot.best
            path = search_near(factor.spectrum, pilot, scoring, start, most, rest)
        else:
            path = search_all(factor.spectrum, pilot.alphas, scoring, None, rest)
        return *_of_one(path, factor), marks


def _of_one(path: Path, factor: RidgeFactor) -> tuple[Path, RidgeFactor, float]:
    """What `choose` returns, of the path of one problem."""
    found = Path.over([factor.problem.kernel.gamma], [path])
    return found, factor, float(found.alphas[found.best])


LandmarkPlan: TypeAlias = Settled | ByHalf | Enough
# The problems say themselves what their kernels are projected on.
SETTLED = Settled()


def landmark_plan(
    landmarks: Any, X: Any, may_choose: bool, seed: int, near: float | None = None
) -> LandmarkPlan:
    """What a kernel is projected on, or how that is chosen.

    Parameters
    ----------
    landmarks : int, None or "auto"
    X : (n, p) array or CSR matrix
    may_choose : bool, whether left-out rows may choose the number
    seed : int
    near : float, default=None
        An alpha near the best where one is known.
    """
    n_rows = X.shape[0]
    if isinstance(landmarks, str) and may_choose and n_rows > EIGEN_ROWS:
        if n_rows <= EXACT_ROWS:
            return ByHalf(seed, near)
        order = np.random.default_rng(seed).permutation(distinct_sample(X, n_rows, seed))
        return Enough(order, min(_MOST_CHOSEN, most_landmarks(n_rows)))
    return Settled(drawn_landmarks(landmarks, X, seed))


def choose(problems: Sequence[RidgeProblem], question: Question) -> tuple[Path, RidgeFactor, float]:
    """Best problem and alpha by left-out score."""
    paths: list[Path] = []
    kept: RidgeFactor | None = None
    for g, problem in enumerate(problems):

        def part(fraction: float, done: int = g) -> None:
            question.progress((done + fraction) / len(problems))

        factor = problem.factorise()
        paths.append(path_of(factor, replace(question, progress=part)))
        if kept is None or paths[-1].merit > max(path.merit for path in paths[:-1]):
            kept = factor
    path = Path.over([problem.kernel.gamma for problem in problems], paths)
    assert kept is not None
    return path, kept, float(path.alphas[path.best])


def path_of(factor: RidgeFactor, question: Question) -> Path:
    """The path of one factorised problem."""
    alphas = question.alphas
    if alphas is None:
        alphas = grid_of(factor.spectrum, *factor.problem.X.shape)
    return search(factor.spectrum, alphas, question.scoring, question.folds, question.progress)


def search(
    spectrum: Spectrum,
    alphas: Floats,
    scoring: Scoring,
    folds: Folds | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Every alpha, or a few around the best of a look ahead where the spectrum has one."""
    stand_in = None
    if folds is None and len(alphas) > _ASKED_AT_ONCE:
        stand_in = spectrum.stand_in(len(alphas), scoring.cheap)
    if stand_in is None:
        return search_all(spectrum, alphas, scoring, folds, progress)
    pilot = row_pilot(stand_in, alphas, scoring, stands_in=stand_in is not spectrum)
    if stand_in is spectrum and not scoring.cheap:
        # A sample says where to ask; all rows choose.
        return search_near(spectrum, pilot, scoring, pilot.best, _FITTED_ALPHAS)
    return search_around(spectrum, pilot, scoring, progress)
