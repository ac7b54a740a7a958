"""Trees as arrays: a few numbers a node, one vector or one number a leaf."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats, Indices

EVERY = -1  # the coordinate of a tree whose leaves are vectors


@dataclass(frozen=True)
class Tree:
    """A complete binary tree of depth d with values in R^(T-1), its nodes level by level.

    Node q sends x to node 2q+1 where x[feature] <= threshold, else to node 2q+2. A node
    that was not split has threshold +inf, so that no row reaches what lies on its right.

    Parameters
    ----------
    features, thresholds, gains : (2^d - 1,) arrays
    values : (2^d, T-1) array, or (2^d, 1) where the tree answers on one coordinate
    coordinate : int, that coordinate, or EVERY
    """

    features: Indices
    thresholds: Floats
    gains: Floats
    values: Floats
    coordinate: int = EVERY

    def scaled(self, step: float) -> "Tree":
        """Return the tree times a number."""
        return Tree(self.features, self.thresholds, self.gains, step * self.values, self.coordinate)

    def add(self, X: Floats, F: Floats) -> None:
        """Add the tree's answers at the rows of X to F, (n, T-1), in place."""
        Forest.of([[self]]).add(X, F)


@dataclass(frozen=True)
class Forest:
    """The trees of all rounds in four arrays; `ends` has the number of trees up to each round.

    M trees of depth d take M (2^d - 1) 16 bytes for the splits and M 2^d width 8 bytes for the
    leaves, width being T-1, or 1 for trees on one coordinate.
    """

    features: Indices
    thresholds: Floats
    values: Floats
    coordinates: Indices
    ends: Indices

    @classmethod
    def of(cls, rounds: Sequence[Sequence[Tree]]) -> "Forest":
        """Stack the trees of each round, all of one depth and width."""
        trees = [tree for trees in rounds for tree in trees]
        return cls(
            np.array([tree.features for tree in trees], dtype=np.intp),
            np.array([tree.thresholds for tree in trees]),
            np.array([tree.values for tree in trees]),
            np.array([tree.coordinate for tree in trees], dtype=np.intp),
            np.cumsum([len(trees) for trees in rounds], dtype=np.intp),
        )

    def add(self, X: Floats, F: Floats) -> None:
        """Add the forest's answers at the rows of X to F, (n, T-1), in place."""
        self._add(X, F, 0, len(self.features))

    def staged(self, X: Floats, F: Floats) -> Iterator[Floats]:
        """Add round after round to F in place, yielding it after each."""
        start = 0
        for end in self.ends:
            self._add(X, F, start, end)
            yield F
            start = end

    def _add(self, X: Floats, F: Floats, start: int, end: int) -> None:
        from simplexcoding.solvers.boosting.sweeps import add_trees

        part = slice(start, end)
        add_trees(
            np.ascontiguousarray(X),
            self.features[part],
            self.thresholds[part],
            self.values[part],
            self.coordinates[part],
            F,
        )
