"""The best alpha: every value asked exactly, or a few where each is expensive."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.design import Folds, LeaveOneOut, Scan, Spectrum
from simplexcoding.selection.between_alphas import hits_between, left_out_between
from simplexcoding.selection.path import Path
from simplexcoding.selection.scoring import Scoring

# Decades around the best alpha in which an expensive spectrum is asked.
_DECADES_AROUND_BEST = 1.0
# Decades around it where a pilot has nearly found it.
_DECADES_AROUND_PILOT = 0.5
# Decades beyond the alphas asked to which kept predictions are trusted to go on as they did.
_DECADES_BEYOND_ASKED = 0.3
# Decades beyond them that count as covered: a path is to be right to a decade from its choice.
_DECADES_COVERED = 0.1
_MOST_NODES = 12
# What an alpha between those asked must promise above the best to be asked itself: half
# of what interpolated scores may be off.
_LEAST_PROMISE = 1e-3


def search_all(
    spectrum: Spectrum,
    alphas: Floats,
    scoring: Scoring,
    folds: Folds | None = None,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask every alpha. With folds, whole folds are left out in place of single rows.

    Rows of no fold count in no score.
    """
    if folds is None and scoring.by_scan:
        return _scanned(spectrum, alphas, scoring, spectrum.scan(alphas))
    if folds is not None:
        scoring = scoring.rows(folds.covered)
    score, error = np.empty(len(alphas)), np.empty(len(alphas))
    for k, alpha in enumerate(alphas):
        if folds is None:
            result = spectrum.leave_one_out(alpha)
        else:
            result = spectrum.leave_out(folds, alpha).take(folds.covered)
        score[k] = scoring.of_result(result)
        error[k] = mean_squared_error(result, scoring)
        progress((k + 1) / len(alphas))
    dimension = spectrum.effective_dimension(alphas)
    return Path(alphas, score, error, dimension, np.ones(len(alphas), dtype=bool))


def _scanned(spectrum: Spectrum, alphas: Floats, scoring: Scoring, scan: Scan) -> Path:
    """The path that a scan of exact values makes."""
    dimension = spectrum.effective_dimension(alphas)
    known = np.ones(len(alphas), dtype=bool)
    return Path(alphas, scoring.of_scan(scan), scan.squared_error, dimension, known)


def search_few(
    spectrum: Spectrum,
    pilot: Path,
    scoring: Scoring,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask a few alphas around the best of a cheap pilot, and correct the pilot between them.

    What promises most among the alphas asked, between them and a little beyond them is asked
    next; then a decade to both sides of the best is covered. That goes on while anything
    promises more than the best, so that a pilot which errs costs time, not accuracy.
    """
    alphas = pilot.alphas
    step = abs(np.log10(alphas[0] / alphas[-1])) / (len(alphas) - 1)
    reach = max(1, round(_DECADES_AROUND_BEST / step))
    before, after = _around(pilot, reach)
    # One pass over the rows asks all three. Where each takes a factorisation the one above
    # waits: a pilot on landmarks takes what they lose for noise, and its best is too large.
    first = {pilot.best, after} if spectrum.keeps_results else {before, pilot.best, after}
    questions = _Questions(spectrum, pilot, scoring)
    path = questions.ask(sorted(first))
    for asked in range(len(first), _MOST_NODES):
        progress(min(0.9, asked / 6))
        promising = replace(path, exact=questions.window()).best
        if not path.exact[promising] and path.score[promising] > path.best_score + _LEAST_PROMISE:
            path = questions.ask([promising])
            continue
        covered = questions.window(_DECADES_COVERED)
        missing = [k for k in _around(path, reach) if not covered[k]]
        if not missing:
            break
        path = questions.ask(missing, roughly=True)
    return path


def search_near(
    spectrum: Spectrum,
    pilot: Path,
    scoring: Scoring,
    start: int,
    most: int,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask a place that is nearly right, and half a decade to both sides of it.

    The window moves on where the best alpha asked lies at its edge, up to `most` questions.
    """
    alphas = pilot.alphas
    step = abs(np.log10(alphas[0] / alphas[-1])) / (len(alphas) - 1)
    reach = max(1, round(_DECADES_AROUND_PILOT / step))
    questions = _Questions(spectrum, pilot, scoring)
    path = questions.ask([start])
    while np.count_nonzero(path.exact) < most:
        progress(np.count_nonzero(path.exact) / most)
        missing = [k for k in _around(path, reach) if not path.exact[k]]
        if not missing:
            break
        path = questions.ask([max(missing, key=lambda k: path.score[k])])
    return path


def corrected_pilot(
    spectrum: Spectrum, pilot: Path, scoring: Scoring, places: Sequence[int]
) -> Path:
    """A pilot that exact answers at some places have shifted; it may be trusted everywhere."""
    path = _Questions(spectrum, pilot, scoring).ask(places, roughly=True)
    dimension = np.full(len(path.alphas), np.nan)
    return replace(path, effective_dimension=dimension, exact=np.ones_like(path.exact))


def _around(path: Path, reach: int) -> list[int]:
    """Places that far on both sides of the best, within the path."""
    return [max(0, path.best - reach), min(len(path.alphas) - 1, path.best + reach)]


class _Questions:
    """Exact answers at some places of a path, and what they say about the others.

    Between the alphas asked, and `spill` decades beyond them, left-out predictions that the
    spectrum keeps are interpolated; of one that keeps none the hits are found where they
    change. Elsewhere, and for other scores, the difference between the exact values and the
    pilot's is interpolated in log alpha. The effective dimension is exact, or the pilot's.
    """

    def __init__(self, spectrum: Spectrum, pilot: Path, scoring: Scoring) -> None:
        self._spill = _DECADES_BEYOND_ASKED if spectrum.keeps_results else 0.0
        self._spectrum = spectrum
        self._pilot = pilot
        self._scoring = scoring
        self._answers: dict[int, Path] = {}
        self._rough: dict[int, LeaveOneOut] = {}
        self._hits: dict[int, Bools] = {}

    def window(self, most: float = np.inf) -> Bools:
        """Places between the alphas asked, and a little beyond them: `most` decades at most."""
        alphas = self._pilot.alphas
        asked = alphas[[*self._answers]]
        margin = 10.0 ** min(self._spill, most) * (1 + 1e-9)
        inside: Bools = (alphas <= asked.max() * margin) & (alphas * margin >= asked.min())
        return inside

    def ask(self, places: Sequence[int], roughly: bool = False) -> Path:
        """The path with exact values at these places too.

        `roughly` asks only what interpolation needs: such values do not count as exact.
        """
        if roughly and self._spectrum.keeps_results:
            places = [place for place in places if not self._roughly(place)]
        if places:
            self._exactly(places)
        return self._refined(self._corrected())

    def _exactly(self, places: Sequence[int]) -> None:
        alphas = self._pilot.alphas[list(places)]
        if self._scoring.by_scan:
            scan = self._spectrum.scan(alphas)
            found = _scanned(self._spectrum, alphas, self._scoring, scan)
            self._hits |= dict(zip(places, scan.correct, strict=True))
        else:
            found = search_all(self._spectrum, alphas, self._scoring)
        for k, place in enumerate(places):
            self._answers[place] = found.at([k])
            self._rough.pop(place, None)

    def _roughly(self, place: int) -> bool:
        """Answer a place by predictions that are not exact, where those are cheaper."""
        result, exact = self._spectrum.roughly(float(self._pilot.alphas[place]))
        if exact:
            return False
        self._rough[place] = result
        answer = self._pilot.at([place])
        score = np.array([self._scoring.of_result(result)])
        error = np.array([mean_squared_error(result, self._scoring)])
        self._answers[place] = replace(answer, score=score, squared_error=error)
        return True

    def _corrected(self) -> Path:
        """The pilot, exact where asked and shifted by the difference elsewhere."""
        pilot, asked = self._pilot, sorted(self._answers)
        logs = -np.log(pilot.alphas)

        def exact(name: str) -> Floats:
            return np.concatenate([getattr(self._answers[place], name) for place in asked])

        def shifted(name: str) -> Floats:
            cheap = getattr(pilot, name)
            values = cheap + np.interp(logs, logs[asked], exact(name) - cheap[asked])
            values[asked] = exact(name)
            return values

        dimension = pilot.effective_dimension.copy()
        dimension[asked] = exact("effective_dimension")
        known = np.zeros(len(logs), dtype=bool)
        known[[place for place in asked if place not in self._rough]] = True
        return Path(pilot.alphas, shifted("score"), shifted("squared_error"), dimension, known)

    def _refined(self, path: Path) -> Path:
        """The path with better values around the alphas asked."""
        between = self.window()
        between[[*self._answers]] = False
        if len(self._answers) == 1 or not between.any():
            return path
        alphas, scoring = path.alphas[between], self._scoring
        score, error = path.score.copy(), path.squared_error.copy()
        if self._spectrum.keeps_results and scoring.cheap:
            results = left_out_between(self._results(), alphas)
            for k, result in zip(np.flatnonzero(between), results, strict=True):
                score[k] = scoring.of_result(result)
                error[k] = mean_squared_error(result, scoring)
        elif scoring.by_scan:
            hits = hits_between(self._spectrum, np.array([*self._hits.values()]), alphas)
            score[between] = scoring.of_scan(Scan(hits, error[between]))
        return replace(path, score=score, squared_error=error)

    def _results(self) -> dict[float, LeaveOneOut]:
        """What the spectrum has kept, by alpha."""
        found = {}
        for place in sorted(self._answers):
            alpha = float(self._pilot.alphas[place])
            kept = self._rough.get(place)
            found[alpha] = self._spectrum.leave_one_out(alpha) if kept is None else kept
        return found


def mean_squared_error(result: LeaveOneOut, scoring: Scoring) -> float:
    """Weighted mean of the squared errors of left-out rows."""
    return float(np.average(result.squared_errors(), weights=scoring.targets.weights))
