"""Random subsets of the features, one per round."""

from dataclasses import dataclass
from math import ceil, log2, sqrt
from numbers import Integral

import numpy as np

from simplexcoding.arrays import Indices


def features_drawn(max_features: int | float | str | None, p: int) -> int:
    """Number of features out of p that a round may split.

    Parameters
    ----------
    max_features : int, a share, "auto" for 4 sqrt(p), "sqrt", "log2", or None for all
    p : int

    Examples
    --------
    >>> features_drawn("auto", 100), features_drawn(0.25, 100), features_drawn(None, 100)
    (40, 25, 100)
    """
    if max_features is None:
        return p
    by_name = {"auto": ceil(4 * sqrt(p)), "sqrt": round(sqrt(p)), "log2": round(log2(p))}
    if isinstance(max_features, str):
        count = by_name[max_features]
    else:
        whole = isinstance(max_features, Integral)
        count = int(max_features) if whole else round(max_features * p)
    return max(1, min(count, p))


def draws_to_try(p: int) -> list[int]:
    """Sizes of a draw among which held-out rows choose: sqrt(p), 2, 4 and 1/2 times as many.

    Trees that may split every feature of few rows are much alike. Smaller draws make them differ,
    and their sum smoother; where few features tell the classes, larger draws find them. The most
    frequent choice comes first: others far behind it end early.

    Examples
    --------
    >>> draws_to_try(36), draws_to_try(4)
    ([6, 12, 24, 3], [2, 4, 1])
    """
    sizes = (features_drawn(ceil(4 * sqrt(p)) // 2**half, p) for half in (2, 1, 0, 3))
    return [*dict.fromkeys(sizes)]


@dataclass(frozen=True)
class FeatureDraw:
    """Features a round may split: `size` of p, drawn anew for each round from the seed."""

    p: int
    size: int
    seed: int

    def __call__(self, number: int) -> Indices:
        """Features of the round of that number, increasing."""
        if self.size >= self.p:
            return np.arange(self.p)
        rng = np.random.default_rng([self.seed, number])
        return np.sort(rng.choice(self.p, self.size, replace=False))
