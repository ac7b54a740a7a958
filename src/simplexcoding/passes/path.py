"""A regularisation path from moments and a sample, and the alphas that deserve a pass."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.design import FeatureSpectrum, Scan
from simplexcoding.design.spectra.feature_scan import SCAN_LIMIT
from simplexcoding.passes.judge import Judged
from simplexcoding.selection.path import TIE, Path
from simplexcoding.selection.scoring import Scoring

# Alphas that the second pass asks. Dense rows answer all of them from a few products, so that
# one more costs little beside the rotation of a row; sparse rows pay for each, and keep an
# inverse for it.
_WORK_PER_ALPHA, _SMALL_ROTATION, _FEWEST_DENSE, _MOST_DENSE = 36.0, 2**16, 16, 48
_INVERSE_VALUES = 2**26
_SPARSE_ROTATIONS, _SPARSE_PRODUCTS, _FEWEST_SPARSE, _MOST_SPARSE = 1.5, 2e5, 4, 12
# Of a long path the sample is asked at every fourth alpha: scores change slowly with it.
_LONG_PATH, _STRIDE = 40, 4
# Standard errors by which an alpha may be behind the sample's best and still be asked.
_PLAUSIBLE_ERRORS = 3.0
_FEWEST_ROWS = 500


@dataclass(frozen=True)
class SamplePath:
    """Scores of a sample's left-out rows along alpha.

    Parameters
    ----------
    path : Path, interpolated between the places asked; squared errors are the generalised
        cross-validation of all rows
    places : (q,) array, the places asked
    correct : (q, m) array, hits of the first m rows of the sample, or None
    weights : (m,) array, what each hit counts
    """

    path: Path
    places: Indices
    correct: Bools | None
    weights: Floats


def sample_path(spectrum: FeatureSpectrum, alphas: Floats, scoring: Scoring) -> SamplePath:
    """The path by the rows of a sample, each left out of the fit on all rows.

    `spectrum` holds the moments of all rows and the rows of the sample; `scoring` counts
    the copies of each.
    """
    error = generalised_cross_validation(spectrum, alphas)
    stride = _STRIDE if len(alphas) >= _LONG_PATH else 1
    places = np.unique(np.append(np.arange(0, len(alphas), stride), len(alphas) - 1))
    n_rows, asked = len(spectrum.targets), alphas[places]
    correct, weights = None, np.ones(n_rows)
    if scoring.by_scan:
        # Rows of a sample come in the order of their keys: the first ones are a sample too.
        most = int(SCAN_LIMIT / (spectrum.targets.n_classes * len(asked)))
        rows = np.arange(min(max(most, _FEWEST_ROWS), n_rows))
        few = scoring.rows(rows)
        correct = spectrum.sample(rows).scan(asked).correct
        score = few.of_scan(Scan(correct, error[places]))
        weights = few.targets.counts
    else:
        score = np.array([scoring.of_result(spectrum.leave_one_out(alpha)) for alpha in asked])
    logs = -np.log(alphas)
    path = Path(
        alphas,
        np.interp(logs, logs[places], score),
        error,
        spectrum.effective_dimension(alphas),
        np.zeros(len(alphas), dtype=bool),
    )
    return SamplePath(path, places, correct, weights)


def generalised_cross_validation(spectrum: FeatureSpectrum, alphas: Floats) -> Floats:
    """Mean squared error over (1 - degrees of freedom / n)^2 at each alpha, (k,).

    With scatter eigenvalues s_j and projections b_j the errors sum to
    sum w ||y||^2 - sum_j ||b_j||^2 (s_j + 2 alpha)/(s_j + alpha)^2: no row is needed.
    """
    moments, s = spectrum.moments, spectrum.eigenvalues[:, None]
    n_classes = len(moments.class_totals)
    shrink = (s + 2 * alphas) / (s + alphas) ** 2
    squares = np.square(spectrum.projections).sum(axis=1)
    own = moments.total
    if moments.centred:
        own -= np.square(moments.class_totals).sum() / moments.total
    left = own - squares @ shrink
    if not moments.centred:
        # Errors do not sum to zero over the classes: only their centred part counts.
        sums = np.square(spectrum.projections.sum(axis=1))
        left -= (moments.total - sums @ shrink) / n_classes
    freedom = spectrum.effective_dimension(alphas) + moments.centred
    slack = np.maximum(1 - freedom / moments.total, 1e-3)
    return np.maximum(left, 0.0) / moments.total * (n_classes / (n_classes - 1)) / slack**2


def most_asked(n_features: int, n_classes: int, sparse: bool) -> int:
    """How many alphas a second pass over such rows can ask at little cost."""
    if sparse:
        cheap = max(_SPARSE_ROTATIONS * n_features**2, _SPARSE_PRODUCTS) / (n_features * n_classes)
        cheap = min(cheap, _INVERSE_VALUES / n_features**2)
        return int(np.clip(cheap, _FEWEST_SPARSE, _MOST_SPARSE))
    cheap = max(n_features**2, _SMALL_ROTATION) / (_WORK_PER_ALPHA * n_classes)
    return int(np.clip(cheap, _FEWEST_DENSE, _MOST_DENSE))


def worth_asking(found: SamplePath, most: int) -> list[int]:
    """Places of the alphas that all rows are asked at, no more than `most`, ascending.

    The range that the sample cannot tell from its best, by the standard error of the
    difference, and a step to both sides; in it every alpha, or the sample's best and others
    between which equally many answers change.
    """
    path, score = found.path, found.path.score[found.places]
    if len(path.alphas) <= most:
        return list(range(len(path.alphas)))
    best = path.at(list(found.places)).best
    assert found.correct is not None
    changed = found.correct != found.correct[best]
    noise = np.sqrt(changed @ np.square(found.weights)) / found.weights.sum()
    plausible = np.flatnonzero(score >= score[best] - _PLAUSIBLE_ERRORS * noise - TIE)
    low, high = max(plausible[0] - 1, 0), min(plausible[-1] + 1, len(score) - 1)
    near = slice(int(low), int(high) + 1)
    within = np.arange(found.places[low], found.places[high] + 1)
    if len(within) > most:
        # Steps of equal change: where answers stay the same one alpha speaks for many.
        steps = (found.correct[near][1:] != found.correct[near][:-1]) @ found.weights
        change = np.append(0.0, np.cumsum(steps + TIE * found.weights.sum()))
        wanted = np.linspace(0.0, change[-1], most)
        within = np.unique(np.interp(wanted, change, found.places[near]).round().astype(int))
        own = found.places[best]
        if own not in within:
            within[np.abs(within - own).argmin()] = own
    return [int(place) for place in within]


def judged_path(found: Path, asked: list[int], judged: Judged, scoring: Scoring) -> Path:
    """The sample's path with what all rows said at some places, and shifted between them."""
    total = judged.totals.sum()
    score = scoring.of_sums(judged.hits, judged.squared, judged.totals)
    exact = {"score": score, "squared_error": judged.squared / total}
    logs = -np.log(found.alphas)

    def shifted(name: str) -> Floats:
        cheap = getattr(found, name)
        values = cheap + np.interp(logs, logs[asked], exact[name] - cheap[asked])
        values[asked] = exact[name]
        return values

    known = np.isin(np.arange(len(logs)), asked)
    return Path(
        found.alphas, shifted("score"), shifted("squared_error"), found.effective_dimension, known
    )
