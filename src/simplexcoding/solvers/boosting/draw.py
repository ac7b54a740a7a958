"""Random subsets of the features, one a round."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Indices


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
