"""Cheap stand-ins for an expensive spectrum, which say where to look."""

from dataclasses import replace

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design import FeatureSpectrum, LandmarkMap, Moments, WeightedKernel
from simplexcoding.selection.path import Path
from simplexcoding.selection.scoring import Scoring
from simplexcoding.selection.search import search_all

# A scan of alphas x rows x classes beyond this many entries takes longer than a factorisation.
SCAN_LIMIT = 5e8
# A pilot asks every fourth alpha on a thousand rows.
_STRIDE = 4
_ROWS = 1000
_FEW_ROWS = 400
_LANDMARKS = 800


def is_dear(spectrum: FeatureSpectrum, n_alphas: int) -> bool:
    """Whether scanning every alpha exactly would dominate the fit."""
    return len(spectrum.targets) * spectrum.targets.n_classes * n_alphas > SCAN_LIMIT


def row_pilot(spectrum: FeatureSpectrum, alphas: Floats, scoring: Scoring) -> Path:
    """The path of the same fit on some of its rows and alphas, interpolated in log alpha.

    Every fourth alpha is asked; where a score is expensive, every twelfth and then those around
    the best, on no more than a quarter of the rows.
    """
    n_rows = len(spectrum.targets)
    size = min(_ROWS, n_rows if scoring.cheap else max(n_rows // 4, _FEW_ROWS), n_rows)
    rows = np.random.default_rng(0).choice(n_rows, size, replace=False)
    part, scoring = spectrum.sample(rows), scoring.rows(rows)
    stride = _STRIDE if scoring.cheap else 3 * _STRIDE
    places = np.unique(np.append(np.arange(0, len(alphas), stride), len(alphas) - 1))
    coarse = search_all(part, alphas[places], scoring)
    if not scoring.cheap:
        around = places[coarse.best] + _STRIDE * np.array([-2, -1, 1, 2])
        around = np.setdiff1d(around[(around >= 0) & (around < len(alphas))], places)
        places = np.union1d(places, around)
        fine = search_all(part, alphas[around], scoring)
        coarse = coarse.joined(fine)
    logs = -np.log(alphas)
    values = (coarse.score, coarse.squared_error)
    score, error = (np.interp(logs, logs[places], value) for value in values)
    # Of the whole fit, whichever rows are asked: exact.
    dimension = spectrum.effective_dimension(alphas)
    return Path(alphas, score, error, dimension, np.ones(len(alphas), dtype=bool))


def landmark_pilot(kernel: WeightedKernel, alphas: Floats, scoring: Scoring) -> Path:
    """The path of the kernel projected on a few of its rows, its dimension left blank (NaN).

    The projection has a dimension of its own, which says nothing about the kernel's.
    """
    targets = kernel.targets
    size = min(_LANDMARKS, len(targets))
    chosen = np.random.default_rng(0).choice(len(targets), size, replace=False)
    roots = targets.roots.astype(kernel.matrix.dtype)
    landmarks = LandmarkMap.of(kernel.matrix[np.ix_(chosen, chosen)])
    features = landmarks.features(kernel.matrix[:, chosen] / roots[:, None])
    moments = Moments.of(features, targets, kernel.intercept)
    path = row_pilot(FeatureSpectrum(features, targets, moments), alphas, scoring)
    return replace(path, effective_dimension=np.full(len(alphas), np.nan))
