"""CD-MCBoost: scalar trees on the coordinates of R^(T-1), stepped one after another."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.feature_draw import FeatureDraw
from simplexcoding.solvers.boosting.forest import Tree
from simplexcoding.solvers.boosting.greedy_tree import Shape, grow, table
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.solvers.boosting.moving_rows import Candidate, MovingRows
from simplexcoding.solvers.boosting.rounds import BoostingProblem, OnScores, Round, State


@dataclass(frozen=True)
class CoordinateMethod(OnScores):
    """Trees for every coordinate from one sweep of histograms, each with its exact step.

    A round sums the gradient of all T-1 coordinates by feature and bin in one O(n m T) sweep,
    which gives each coordinate its best stump (deeper trees go on from there). The trees
    are then stepped one after another, those of largest gain first, each by an exact
    search at the scores the ones before it left: O(n) per coordinate, for only class 0 and
    class j+1 move along coordinate j. With `every` false only the coordinate of least risk
    is stepped, as published.

    Parameters
    ----------
    problem : BoostingProblem, exponential or logistic
    binned : BinnedRows
    shape : Shape
    draw : FeatureDraw
    learning_rate : float in (0, 1]
    signs : bool, whether leaves are snapped to -1 and +1
    every : bool
    """

    problem: BoostingProblem
    binned: BinnedRows
    shape: Shape
    draw: FeatureDraw
    learning_rate: float = 1.0
    signs: bool = False
    every: bool = True

    def round(self, state: State, number: int) -> Round | None:
        candidates = self._candidates(state, self.draw(number))
        if self.draw.size < self.draw.p and all(weak.splits.whole for weak in candidates):
            candidates = self._candidates(state, np.arange(self.draw.p))
        rows = MovingRows.at(state.S, self.problem)
        before = rows.risk
        trees = self._all(candidates, rows) if self.every else self._best(candidates, rows)
        if rows.risk >= before:
            return None
        moved = np.zeros((len(state.S), self.problem.n_classes - 1))
        for candidate, tree in trees:
            moved[:, tree.coordinate] = tree.values[candidate.splits.leaf, 0]
        state.S += self.problem.code.scores(moved)
        return Round(tuple(tree for _, tree in trees), rows.risk)

    def _all(self, candidates: list[Candidate], rows: MovingRows) -> list[tuple[Candidate, Tree]]:
        done = []
        for candidate in candidates:
            step = self.learning_rate * rows.along(candidate).step()
            if step > 0.0:
                rows.move(candidate, step)
                done.append((candidate, candidate.tree(step)))
        return done

    def _best(self, candidates: list[Candidate], rows: MovingRows) -> list[tuple[Candidate, Tree]]:
        curves = [rows.along(candidate) for candidate in candidates]
        steps = [curve.step() for curve in curves]
        risks = [curve.value(step) for curve, step in zip(curves, steps, strict=True)]
        best = int(np.argmin(risks))
        step = self.learning_rate * steps[best]
        rows.move(candidates[best], step)
        return [(candidates[best], candidates[best].tree(step))]

    def _candidates(self, state: State, features: Indices) -> list[Candidate]:
        """One for each coordinate, those of largest gain first."""
        from simplexcoding.solvers.boosting.loops.tree_sums import best_stumps, histogram

        descent = self.problem.descent(state.S)
        weights = descent[np.arange(len(descent)), self.problem.y]
        pulled = self.problem.code.pull_back(descent)
        rows, dim = table(pulled, weights), pulled.shape[1]
        binned = self.binned
        sums = histogram(binned, features, rows)
        if self.shape.depth > 1 or not binned.all_in_order:
            weak = [self._tree(j, pulled[:, j], weights, features, sums) for j in range(dim)]
        else:
            gains, columns, last = best_stumps(
                sums,
                binned.n_bins[features] - 1,
                dim,
                self.shape.least_weight(weights.sum()),
                self.shape.min_samples_leaf,
            )
            weak = [
                self._stump(j, int(features[columns[j]]), int(last[j]), gains[j], sums[columns[j]])
                if columns[j] >= 0
                else self._whole(j, sums[0])
                for j in range(dim)
            ]
        return sorted(weak, key=lambda candidate: -candidate.splits.gains.sum())

    def _stump(
        self, coordinate: int, feature: int, last: int, gain: float, sums: Floats
    ) -> Candidate:
        """Read a stump off the (B, K) histogram of its feature."""
        weight = self.problem.n_classes - 1
        pair = sums[:, [coordinate, weight]]
        left = pair[: last + 1].sum(axis=0)
        sides = np.array([left, pair.sum(axis=0) - left])
        splits = GrownTree.of_stump(
            feature,
            float(self.binned.thresholds(feature, last)),
            gain,
            bool(left[1] >= sides[1, 1]),
            self.binned.codes[feature] > last,
        )
        return Candidate(coordinate, splits, self._values(sides[:, 0], sides[:, 1]))

    def _whole(self, coordinate: int, sums: Floats) -> Candidate:
        """Return the constant, for a coordinate on which no split gains."""
        total = sums.sum(axis=0)
        splits = GrownTree.nothing(len(self.problem.y))
        pair = np.array([[total[coordinate], total[self.problem.n_classes - 1]], [0.0, 0.0]])
        return Candidate(coordinate, splits, self._values(pair[:, 0], pair[:, 1]))

    def _tree(
        self, coordinate: int, descent: Floats, weights: Floats, features: Indices, sums: Floats
    ) -> Candidate:
        """Grow a deeper tree on one coordinate; the sweep has its root's histogram."""
        from simplexcoding.solvers.boosting.loops.tree_sums import leaf_sums

        dim = self.problem.n_classes - 1
        rows = table(descent[:, None], weights)
        root = np.zeros((*sums.shape[:2], rows.shape[1]))
        root[:, :, :3] = sums[:, :, [coordinate, dim, dim + 1]]
        splits = grow(self.binned, rows, 1, self.shape, features, root=root)
        leaves = leaf_sums(rows, splits.leaf, splits.n_leaves)
        return Candidate(coordinate, splits, self._values(leaves[:, 0], leaves[:, 1]))

    def _values(self, sums: Floats, weights: Floats) -> Floats:
        if self.signs:
            return np.sign(sums)
        return np.divide(sums, weights, where=weights > 0, out=np.zeros_like(sums))
