"""The best alpha: every value asked exactly, or a few where each is dear."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.selection.between import left_out_between
from simplexcoding.selection.scoring import ScanScoring, Scoring
from simplexcoding.spectrum import LeaveOneOut, Spectrum

# Decades around the best alpha in which a dear spectrum is asked.
_REACH = 1.0
# Decades beyond the alphas asked to which predictions are trusted to go on as they did.
_SPILL = 0.3
_MOST_NODES = 12
# Scores closer than one row in a million count as equal.
TIE = 1e-6


@dataclass(frozen=True)
class Path:
    """Scores of left-out rows along alpha.

    Parameters
    ----------
    alphas : (k,) array, falling
    score : (k,) array
    squared_error : (k,) array, mean of ||c_y - f||^2
    effective_dimension : (k,) array
    exact : (k,) array; where False the other values are interpolated
    """

    alphas: Floats
    score: Floats
    squared_error: Floats
    effective_dimension: Floats
    exact: Bools

    @property
    def best(self) -> int:
        """Place of the best exact score; the lowest squared error among ties."""
        score = np.where(self.exact, self.score, -np.inf)
        ties = np.flatnonzero(score >= score.max() - TIE)
        return int(ties[self.squared_error[ties].argmin()])


def search_all(
    spectrum: Spectrum,
    alphas: Floats,
    scoring: Scoring,
    folds: Sequence[Indices] | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask every alpha. With folds, whole folds are left out in place of single rows."""
    dimension = spectrum.effective_dimension(alphas)
    if folds is None and isinstance(scoring, ScanScoring):
        scan = spectrum.scan(alphas)
        score, error = scoring.of_scan(scan), scan.squared_error
    else:
        score, error = np.empty(len(alphas)), np.empty(len(alphas))
        for k, alpha in enumerate(alphas):
            if folds is None:
                result = spectrum.leave_one_out(alpha)
            else:
                result = spectrum.leave_out(folds, alpha)
            score[k] = scoring.of_result(result)
            error[k] = mean_squared_error(result, scoring)
            progress((k + 1) / len(alphas))
    return Path(alphas, score, error, dimension, np.ones(len(alphas), dtype=bool))


def search_few(
    spectrum: Spectrum,
    pilot: Path,
    scoring: Scoring,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask a few alphas around the best of a cheap pilot, and mend the pilot between them.

    Where the spectrum keeps what it was asked, left-out predictions are interpolated
    between the alphas asked. Elsewhere the difference between the exact values and the
    pilot's is, in log alpha.
    The window moves on while the best alpha lies at its edge, so that a pilot which
    errs costs time, not accuracy.
    """
    alphas = pilot.alphas
    step = abs(np.log10(alphas[0] / alphas[-1])) / (len(alphas) - 1)
    reach = max(1, round(_REACH / step))
    first = [pilot.best]
    if not spectrum.keeps_results:
        # One pass over the rows asks all three.
        first = sorted({*first, *_around(pilot, reach)})
    path = _ask(spectrum, pilot, pilot, scoring, first)
    progress(0.2)
    while np.count_nonzero(path.exact) < _MOST_NODES:
        missing = [k for k in _around(path, reach) if not path.exact[k]]
        if not missing:
            break
        path = _ask(spectrum, path, pilot, scoring, missing)
        progress(0.6)
    promising = replace(path, exact=_window(path)).best
    if not path.exact[promising]:
        path = _ask(spectrum, path, pilot, scoring, [promising])
        progress(0.8)
    # A refined choice may have come near the edge: a decade around it is to be covered.
    decade = max(1, round(1 / step))
    missing = [k for k in _around(path, decade) if not _window(path, _SPILL)[k]]
    return _ask(spectrum, path, pilot, scoring, missing) if missing else path


def search_pilot(spectrum: Spectrum, pilot: Path, scoring: Scoring) -> Path:
    """Trust a pilot and ask its best alpha alone."""
    return _ask(spectrum, pilot, pilot, scoring, [pilot.best])


def _around(path: Path, reach: int) -> list[int]:
    """Places that far on both sides of the best, within the path."""
    return [max(0, path.best - reach), min(len(path.alphas) - 1, path.best + reach)]


def _window(path: Path, spill: float = 0.0) -> Bools:
    """Places between the alphas asked, and so many decades beyond them."""
    asked = path.alphas[path.exact]
    margin = 10.0**spill * (1 + 1e-9)
    return (path.alphas <= asked.max() * margin) & (path.alphas * margin >= asked.min())


def _ask(
    spectrum: Spectrum, path: Path, pilot: Path, scoring: Scoring, places: Sequence[int]
) -> Path:
    """Replace values at some places by exact ones and mend the others."""
    found = search_all(spectrum, path.alphas[list(places)], scoring)
    exact = path.exact.copy() if path is not pilot else np.zeros(len(path.alphas), dtype=bool)
    exact[list(places)] = True
    logs = -np.log(path.alphas)

    def mended(name: str) -> Floats:
        values = getattr(path, name).copy()
        values[list(places)] = getattr(found, name)
        cheap = getattr(pilot, name)
        return np.where(
            exact, values, cheap + np.interp(logs, logs[exact], (values - cheap)[exact])
        )

    path = Path(
        path.alphas,
        mended("score"),
        mended("squared_error"),
        mended("effective_dimension"),
        exact,
    )
    between = _window(path, _SPILL) & ~exact
    if spectrum.keeps_results and scoring.cheap and exact.sum() > 1:
        results = left_out_between(spectrum, path.alphas[exact], path.alphas[between])
        for k, result in zip(np.flatnonzero(between), results, strict=True):
            path.score[k] = scoring.of_result(result)
            path.squared_error[k] = mean_squared_error(result, scoring)
    return path


def mean_squared_error(result: LeaveOneOut, scoring: Scoring) -> float:
    """Weighted mean of the squared errors of left-out rows."""
    return float(np.average(result.squared_errors(), weights=scoring.targets.weights))
