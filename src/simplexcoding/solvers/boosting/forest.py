"""Trees as arrays: a few numbers per node, one vector or one number per leaf."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from simplexcoding.arrays import Bools, Floats, Indices

Sets: TypeAlias = NDArray[np.int64]

EVERY = -1  # the coordinate of a tree whose leaves are vectors
IN_ORDER = -1  # the set of a node that compares with its threshold
NO_SETS: Sets = np.zeros((0, 4), dtype=np.int64)


@dataclass(frozen=True)
class Tree:
    """A complete binary tree of depth d with values in R^(T-1), its nodes level by level.

    Node q sends x to node 2q+1 where x[feature] <= threshold, else to node 2q+2; a node with a
    set asks whether it holds the category x[feature], and NaN goes as `missing_left` says. A
    node that was not split has threshold +inf, so that no row reaches what lies on its right.

    Parameters
    ----------
    features, thresholds, gains : (2^d - 1,) arrays
    values : (2^d, T-1) array, or (2^d, 1) where the tree answers on one coordinate
    coordinate : int, that coordinate, or EVERY
    missing_left : (2^d - 1,) array
    sets : (s, 4) array, 256 bits per set of categories
    set_of : (2^d - 1,) array of places in `sets`, IN_ORDER where a node has none
    """

    features: Indices
    thresholds: Floats
    gains: Floats
    values: Floats
    coordinate: int
    missing_left: Bools
    sets: Sets
    set_of: Indices

    @classmethod
    def in_order(
        cls,
        features: Indices,
        thresholds: Floats,
        gains: Floats,
        values: Floats,
        coordinate: int = EVERY,
    ) -> "Tree":
        """A tree without sets, where missing values go left."""
        left = np.ones(len(features), dtype=bool)
        set_of = np.full(len(features), IN_ORDER)
        return cls(features, thresholds, gains, values, coordinate, left, NO_SETS, set_of)

    def add(self, X: Floats, F: Floats) -> None:
        """Add the tree's answers at the rows of X to F, (n, T-1), in place."""
        from simplexcoding.solvers.boosting.loops.tree_walks import add_trees

        add_trees(
            np.ascontiguousarray(X),
            self.features[None],
            self.thresholds[None],
            self.missing_left[None],
            self.set_of[None],
            self.sets,
            self.values[None],
            np.array([self.coordinate]),
            F,
        )


@dataclass(frozen=True)
class Forest:
    """The trees of all rounds as arrays; `ends` has the number of trees up to each round.

    M trees of depth d take 33 M (2^d - 1) bytes for the splits and M 2^d width numbers for the
    leaves, width being T-1, or 1 for trees on one coordinate.

    Parameters
    ----------
    features, thresholds, gains, missing_left, set_of : (M, 2^d - 1) arrays, as in `Tree`
    values : (M, 2^d, width) array of the leaves
    coordinates : (M,) array, the coordinate of each tree or EVERY
    ends : (rounds,) array
    sets : (s, 4) array of sets of categories, default has none
    """

    features: Indices
    thresholds: Floats
    gains: Floats
    values: Floats
    coordinates: Indices
    ends: Indices
    missing_left: Bools
    set_of: Indices
    sets: Sets = field(default_factory=NO_SETS.copy)

    @classmethod
    def of(cls, rounds: Sequence[Sequence[Tree]]) -> "Forest":
        """Stack the trees of each round, all of one depth and width."""
        trees = [tree for trees in rounds for tree in trees]
        sizes = np.cumsum([0, *(len(tree.sets) for tree in trees)])
        set_of = [
            np.where(tree.set_of < 0, IN_ORDER, tree.set_of + start)
            for tree, start in zip(trees, sizes, strict=False)
        ]
        return cls(
            np.array([tree.features for tree in trees], dtype=np.intp),
            np.array([tree.thresholds for tree in trees]),
            np.array([tree.gains for tree in trees]),
            np.array([tree.values for tree in trees]),
            np.array([tree.coordinate for tree in trees], dtype=np.intp),
            np.cumsum([len(trees) for trees in rounds], dtype=np.intp),
            np.array([tree.missing_left for tree in trees], dtype=bool),
            np.array(set_of, dtype=np.intp),
            np.concatenate([NO_SETS, *(tree.sets for tree in trees)]),
        )

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self.ends)

    def __add__(self, later: "Forest") -> "Forest":
        """Chain the rounds of this forest and those of a later one."""
        if not len(self) or not len(later):
            return self if len(self) else later
        moved = np.where(later.set_of < 0, IN_ORDER, later.set_of + len(self.sets))
        return Forest(
            np.concatenate([self.features, later.features]),
            np.concatenate([self.thresholds, later.thresholds]),
            np.concatenate([self.gains, later.gains]),
            np.concatenate([self.values, later.values]),
            np.concatenate([self.coordinates, later.coordinates]),
            np.concatenate([self.ends, self.ends[-1] + later.ends]),
            np.concatenate([self.missing_left, later.missing_left]),
            np.concatenate([self.set_of, moved]),
            np.concatenate([self.sets, later.sets]),
        )

    def first(self, rounds: int) -> "Forest":
        """The forest of the first rounds."""
        end = self.ends[rounds - 1] if rounds else 0
        return Forest(
            self.features[:end],
            self.thresholds[:end],
            self.gains[:end],
            self.values[:end],
            self.coordinates[:end],
            self.ends[:rounds],
            self.missing_left[:end],
            self.set_of[:end],
            self.sets,
        )

    def add(self, X: Floats, F: Floats) -> None:
        """Add the forest's answers at the rows of X to F, (n, T-1), in place."""
        self.check(X.shape[1], F.shape[1])
        self._add(X, F, 0, len(self.features))

    def staged(self, X: Floats, F: Floats) -> Iterator[Floats]:
        """Add round after round to F in place, yielding it after each."""
        self.check(X.shape[1], F.shape[1])
        start = 0
        for end in self.ends:
            self._add(X, F, start, end)
            yield F
            start = end

    def check(self, n_features: int, dim: int) -> None:
        """Raise ValueError unless the arrays are a forest over such rows with values in R^dim.

        Compiled code trusts the indices in them, so this runs before it: O(M 2^d).
        """
        M, ends = len(self.features), self.ends
        if not len(ends) and not M:
            return
        nodes = self.features.shape[1] if self.features.ndim == 2 else 0
        width = 1 if (self.coordinates != EVERY).any() else dim
        expected = {
            "features": (M, nodes, np.intp),
            "thresholds": (M, nodes, np.float64),
            "gains": (M, nodes, np.float64),
            "missing_left": (M, nodes, np.bool_),
            "set_of": (M, nodes, np.intp),
        }
        for name, (*shape, dtype) in expected.items():
            array = getattr(self, name)
            _require(array.shape == tuple(shape) and array.dtype == dtype, name)
        _require(nodes > 0 and (nodes & (nodes + 1)) == 0, "features")
        _require(_within(self.features, 0, n_features), "features")
        _require(self.values.shape == (M, nodes + 1, width), "values")
        _require(self.values.dtype in (np.float32, np.float64), "values")
        _require(
            self.coordinates.shape == (M,) and self.coordinates.dtype == np.intp, "coordinates"
        )
        _require(_within(self.coordinates, EVERY, dim), "coordinates")
        _require(width == dim or not (self.coordinates == EVERY).any(), "coordinates")
        _require(self.sets.ndim == 2 and self.sets.shape[1] == 4, "sets")
        _require(self.sets.dtype == np.int64, "sets")
        _require(_within(self.set_of, IN_ORDER, len(self.sets)), "set_of")
        _require(ends.ndim == 1 and len(ends) > 0 and ends.dtype.kind == "i", "ends")
        _require(int(ends[-1]) == M, "ends")
        _require(bool((np.diff(ends, prepend=0) >= 0).all()), "ends")

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
        return total / (float(total.sum()) or 1.0)

    def _add(self, X: Floats, F: Floats, start: int, end: int) -> None:
        from simplexcoding.solvers.boosting.loops.tree_walks import add_trees

        if start == end:
            return
        part = slice(start, end)
        add_trees(
            np.ascontiguousarray(X),
            self.features[part],
            self.thresholds[part],
            self.missing_left[part],
            self.set_of[part],
            self.sets,
            self.values[part],
            self.coordinates[part],
            F,
        )


def _require(holds: bool, name: str) -> None:
    if not holds:
        raise ValueError(f"{name} of the forest does not fit the model: the arrays are damaged.")


def _within(array: Indices, least: int, end: int) -> bool:
    return not array.size or bool(array.min() >= least and array.max() < end)
