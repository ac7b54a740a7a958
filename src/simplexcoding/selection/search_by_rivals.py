"""The best alpha of many rows and classes: one asked exactly, those around it by its rivals."""

from collections.abc import Callable

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.design import Scan, Spectrum
from simplexcoding.design.spectra.rivals import Contest
from simplexcoding.selection.path import Path
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_few

# Decades to both sides of an alpha asked in which its rivals speak for all classes.
_DECADES = 1.0
# What an alpha must promise above the best to be asked itself.
_LEAST_PROMISE = 5e-4
_MOST_ASKED = 4


def search_around(
    spectrum: Spectrum,
    pilot: Path,
    scoring: Scoring,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask a few alphas around the best of a pilot: by rivals where hits of dense rows decide."""
    if spectrum.follows_rivals and scoring.by_hits:
        return search_rivals(spectrum, pilot, scoring, progress)
    return search_few(spectrum, pilot, scoring, progress)


def search_rivals(
    spectrum: Spectrum,
    pilot: Path,
    scoring: Scoring,
    progress: Callable[[float], None] = lambda fraction: None,
) -> Path:
    """Ask the best alpha of a pilot exactly, and those around it by the classes that came near.

    Where one of those promises more it is asked next, exactly, and the alphas around it. The
    spectrum keeps the last left-out predictions, which are mostly those of the choice.
    """
    alphas, logs = pilot.alphas, -np.log(pilot.alphas)
    score, error = pilot.score.copy(), pilot.squared_error.copy()
    exact, seen = (np.zeros(len(alphas), dtype=bool) for _ in range(2))
    place = pilot.best
    while True:
        result = spectrum.leave_one_out(float(alphas[place]))
        contest = Contest.of(result)
        around = np.abs(logs - logs[place]) <= _DECADES * np.log(10) * (1 + 1e-9)
        fresh = around & ~exact
        hits = contest.hits_at(spectrum, alphas[fresh])
        score[fresh] = scoring.of_scan(Scan(hits, error[fresh]))
        error[place] = np.average(contest.squares, weights=scoring.targets.weights)
        score[place] = scoring.of_scan(Scan(contest.hits[None], error[place : place + 1]))[0]
        exact[place] = True
        seen |= around
        promising = int(np.where(seen, score, -np.inf).argmax())
        enough = score[promising] <= score[exact].max() + _LEAST_PROMISE
        if enough or exact.sum() == _MOST_ASKED:
            break
        place = promising
        del result  # Predictions are large: no two of them at a time.
        progress(exact.sum() / _MOST_ASKED)
    spectrum.keep(float(alphas[place]), result)

    def shifted(values: Floats, cheap: Floats, known: Bools) -> Floats:
        """Beyond what is known the pilot, moved by what it is off at the edge."""
        beyond = cheap + np.interp(logs, logs[known], (values - cheap)[known])
        return np.where(known, values, beyond)

    score = shifted(score, pilot.score, seen)
    error = shifted(error, pilot.squared_error, exact)
    return Path(alphas, score, error, pilot.effective_dimension, exact)
