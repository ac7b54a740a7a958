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

    def add(self, X: Floats, F: Floats) -> None:
        """Add the tree's answers at the rows of X to F, (n, T-1), in place."""
        Forest.of([[self]]).add(X, F)


@dataclass(frozen=True)
class Forest:
    """The trees of all rounds as arrays; `ends` has the number of trees up to each round.

    M trees of depth d take 24 M (2^d - 1) bytes for the splits and 8 M 2^d width for the
    leaves, width being T-1, or 1 for trees on one coordinate.
    """

    features: Indices
    thresholds: Floats
    gains: Floats
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
            np.array([tree.gains for tree in trees]),
            np.array([tree.values for tree in trees]),
            np.array([tree.coordinate for tree in trees], dtype=np.intp),
            np.cumsum([len(trees) for trees in rounds], dtype=np.intp),
        )

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self.ends)

    def __add__(self, later: "Forest") -> "Forest":
        """Chain the rounds of this forest and those of a later one."""
        if not len(self) or not len(later):
            return self if len(self) else later
        return Forest(
            np.concatenate([self.features, later.features]),
            np.concatenate([self.thresholds, later.thresholds]),
            np.concatenate([self.gains, later.gains]),
            np.concatenate([self.values, later.values]),
            np.concatenate([self.coordinates, later.coordinates]),
            np.concatenate([self.ends, self.ends[-1] + later.ends]),
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

    def importances(self, falls: Floats, p: int) -> Floats:
        """Share of each of p features in the falls of the risk, (rounds,) numbers.

        The fall of a round is shared among its splits in proportion to their gains.
        """
        if not self.gains.any():
            return np.zeros(p)
        sizes = np.diff(self.ends, prepend=0)
        gains = self.gains.sum(axis=1)
        of_round = np.add.reduceat(gains, self.ends - sizes)
        shares = (
            self.gains * np.repeat(falls / np.where(of_round > 0, of_round, np.inf), sizes)[:, None]
        )
        total = np.bincount(self.features.ravel(), shares.ravel(), minlength=p)
        return total / total.sum()

    def _add(self, X: Floats, F: Floats, start: int, end: int) -> None:
        from simplexcoding.solvers.boosting.sweeps import add_trees

        if start == end:
            return
        part = slice(start, end)
        add_trees(
            np.ascontiguousarray(X),
            self.features[part],
            self.thresholds[part],
            self.values[part],
            self.coordinates[part],
            F,
        )
