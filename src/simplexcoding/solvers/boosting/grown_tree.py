"""The nodes of a grown tree, and the training rows in its leaves."""

from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.solvers.boosting.forest import EVERY, NO_SETS, Sets, Tree


@dataclass(frozen=True)
class GrownTree:
    """The nodes of a grown tree, and the training rows in its leaves.

    features, thresholds, gains, missing_left, sets, set_of : as in `Tree`
    members : (n,) the rows, those of a leaf side by side
    begins, ends : (2^d,) where a leaf has its rows in `members`
    """

    features: Indices
    thresholds: Floats
    gains: Floats
    missing_left: Bools
    sets: Sets
    set_of: Indices
    members: Indices
    begins: Indices
    ends: Indices

    @classmethod
    def nothing(cls, n_rows: int) -> "GrownTree":
        """A stump that is not split."""
        return cls.of_stump(0, inf, 0.0, True, np.zeros(n_rows, dtype=bool))

    @classmethod
    def of_stump(
        cls, feature: int, threshold: float, gain: float, missing_left: bool, on_right: Bools
    ) -> "GrownTree":
        """One split, and the side of each row."""
        n_left = len(on_right) - np.count_nonzero(on_right)
        return cls(
            np.array([feature]),
            np.array([threshold]),
            np.array([gain]),
            np.array([missing_left]),
            NO_SETS,
            np.array([-1]),
            np.argsort(on_right, kind="stable"),
            np.array([0, n_left]),
            np.array([n_left, len(on_right)]),
        )

    def tree(self, values: Floats, coordinate: int = EVERY) -> Tree:
        """The tree with these values at its leaves."""
        return Tree(
            self.features,
            self.thresholds,
            self.gains,
            values,
            coordinate,
            self.missing_left,
            self.sets,
            self.set_of,
        )

    @property
    def whole(self) -> bool:
        """Whether not even the root is split."""
        return bool(self.gains[0] == 0.0)

    @property
    def n_leaves(self) -> int:
        """2^d, reached or not."""
        return len(self.features) + 1

    @cached_property
    def leaf(self) -> Indices:
        """Leaf of each row, (n,)."""
        leaf = np.empty(len(self.members), dtype=np.intp)
        leaf[self.members] = np.repeat(np.arange(self.n_leaves), self.ends - self.begins)
        return leaf
