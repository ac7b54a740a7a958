"""Hold-out selection: one part of the rows to learn from, the other to choose by."""

import numpy as np
from numpy.typing import ArrayLike

from simplexcoding.arrays import Floats, Indices


def hold_out(y: Indices, fraction: float, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Numbers of the rows to learn from and of those held out, both ascending.

    Each class gives its share, rounded, and keeps at least one row to learn from.

    Parameters
    ----------
    y : (n,) array of class indices
    fraction : float in (0, 1), the part held out
    rng : Generator, draws which rows of a class go

    Examples
    --------
    >>> import numpy as np
    >>> kept, held = hold_out(np.repeat([0, 1], 10), 0.2, np.random.default_rng(0))
    >>> len(kept), len(held)
    (16, 4)
    """
    shuffled = rng.permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    counts = np.bincount(y)
    sizes = counts[y[by_class]]
    ranks = np.arange(len(y)) - (np.cumsum(counts) - counts)[y[by_class]]
    out = ((ranks + 0.5) / sizes < fraction) & (ranks < sizes - 1)
    return np.sort(by_class[~out]), np.sort(by_class[out])


def best_alpha(alphas: ArrayLike, scores: Floats) -> int:
    """Position of the alpha of best score, the largest alpha at ties; NaN is no score.

    Examples
    --------
    >>> import numpy as np
    >>> best_alpha([1.0, 10.0, 0.1], np.array([0.9, 0.9, 0.8]))
    1
    """
    alphas = np.asarray(alphas)
    best = np.flatnonzero(scores == np.nanmax(scores))
    return int(best[alphas[best].argmax()])
