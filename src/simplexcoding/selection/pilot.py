"""A cheap look along the path, which says where to ask."""

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design import Spectrum
from simplexcoding.selection.path import Path
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_all

# A pilot asks every fourth alpha on a thousand rows.
_ALPHA_STRIDE = 4
_PILOT_ROWS = 1000
_FEWEST_PILOT_ROWS = 400


def row_pilot(
    spectrum: Spectrum, alphas: Floats, scoring: Scoring, stands_in: bool = False
) -> Path:
    """The path of the same fit on some of its rows and alphas, interpolated in log alpha.

    Every fourth alpha is asked; where a score is expensive, every twelfth and then those around
    the best, on no more than a quarter of the rows. A spectrum that stands in for another
    has a dimension of its own, which says nothing about that: it is left blank (NaN).
    """
    n_rows = len(spectrum.targets)
    size = min(
        _PILOT_ROWS, n_rows if scoring.cheap else max(n_rows // 4, _FEWEST_PILOT_ROWS), n_rows
    )
    rows = np.random.default_rng(0).choice(n_rows, size, replace=False)
    part, scoring = spectrum.sample(rows), scoring.rows(rows)
    stride = _ALPHA_STRIDE if scoring.cheap else 3 * _ALPHA_STRIDE
    places = np.unique(np.append(np.arange(0, len(alphas), stride), len(alphas) - 1))
    coarse = search_all(part, alphas[places], scoring)
    if not scoring.cheap:
        around = places[coarse.best] + _ALPHA_STRIDE * np.array([-2, -1, 1, 2])
        around = np.setdiff1d(around[(around >= 0) & (around < len(alphas))], places)
        places = np.union1d(places, around)
        fine = search_all(part, alphas[around], scoring)
        coarse = coarse.joined(fine)
    logs = -np.log(alphas)
    values = (coarse.score, coarse.squared_error)
    score, error = (np.interp(logs, logs[places], value) for value in values)
    # Of the whole fit, whichever rows are asked: exact.
    dimension = np.full(len(alphas), np.nan)
    if not stands_in:
        dimension = spectrum.effective_dimension(alphas)
    return Path(alphas, score, error, dimension, np.ones(len(alphas), dtype=bool))
