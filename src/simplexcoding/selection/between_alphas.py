"""Left-out predictions between the alphas that were asked."""

from collections.abc import Iterator, Mapping

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.design import LeaveOneOut, Spectrum

# A prediction changes slowly with log alpha: a cubic follows it over a decade.
_MOST_NODES = 4


def left_out_between(results: Mapping[float, LeaveOneOut], alphas: Floats) -> Iterator[LeaveOneOut]:
    """Left-out predictions at alphas, interpolated row by row from those at the nodes.

    Each prediction is a polynomial in log alpha through the nearest four nodes, or all of
    fewer. Scores and hits of such predictions are far nearer to the exact ones than
    interpolated scores are.

    Parameters
    ----------
    results : predictions at the nodes, two alphas or more
    alphas : (k,) array
    """
    errors = [result.errors / result.slack[:, None] for result in results.values()]
    y = next(iter(results.values())).y
    slack = np.ones(len(y), dtype=errors[0].dtype)
    places = np.log([*results])
    for place in np.log(alphas):
        near = np.argsort(np.abs(places - place), kind="stable")[:_MOST_NODES]
        weights = _lagrange(places[near], place)
        mixed = sum(weight * errors[k] for weight, k in zip(weights, near, strict=True))
        yield LeaveOneOut(np.asarray(mixed, dtype=errors[0].dtype), slack, y)


def hits_between(spectrum: Spectrum, hits: Bools, alphas: Floats) -> Bools:
    """Which left-out rows are predicted rightly at alphas between those that were asked.

    A row with one answer at all the alphas asked keeps it between them. The others, a few
    in a hundred, are asked at every alpha: O(rows that change) of the whole scan.

    Parameters
    ----------
    spectrum : Spectrum, one that can be asked about some of its rows
    hits : (m, n) array, answers at the alphas asked
    alphas : (k,) array

    Returns
    -------
    (k, n) array
    """
    between = np.repeat(hits[:1], len(alphas), axis=0)
    changing = np.flatnonzero((hits != hits[0]).any(axis=0))
    if changing.size:
        between[:, changing] = spectrum.sample(changing).scan(alphas).correct
    return between


def _lagrange(places: Floats, place: float) -> Floats:
    """Weights of the values at some places in the polynomial through them, at a place."""
    gaps = places[:, None] - places
    np.fill_diagonal(gaps, 1.0)
    away = np.tile(place - places, (len(places), 1))
    np.fill_diagonal(away, 1.0)
    return np.prod(away / gaps, axis=1)
