"""CD-MCBoost: scalar trees on the coordinates of R^(T-1), stepped one after another."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.forest import Tree
from simplexcoding.solvers.boosting.gradient import FeatureDraw
from simplexcoding.solvers.boosting.growth import Shape, Splits, grow, table
from simplexcoding.solvers.boosting.line_search import exact_step
from simplexcoding.solvers.boosting.rounds import BoostingProblem, Round, State

# Running sums of a round are not made afresh after a step: it may not cancel them.
_LONGEST_MOVE = 20.0


@dataclass(frozen=True)
class Candidate:
    """A scalar tree on one coordinate, before its step: values (L,) at the leaves."""

    coordinate: int
    splits: Splits
    values: Floats

    def tree(self, step: float) -> Tree:
        """Return the tree times its step."""
        s = self.splits
        return Tree(s.features, s.thresholds, s.gains, step * self.values[:, None], self.coordinate)


@dataclass(frozen=True)
class CoordinateMethod:
    """Trees for every coordinate from one sweep of histograms, each with its exact step.

    A round sums the gradient of all T-1 coordinates by feature and bin in one O(n m T) sweep,
    which gives each coordinate its best stump (deeper trees go on from there). The trees
    are then stepped one after another, those of largest gain first, each by an exact
    search at the scores the ones before it left: O(n) a coordinate, for only class 0 and
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
        if not candidates and self.draw.size < self.draw.p:
            candidates = self._candidates(state, np.arange(self.draw.p))
        rows = MovingRows.at(state.S, self.problem)
        trees = self._all(candidates, rows) if self.every else self._best(candidates, rows)
        for candidate, tree in trees:
            state.F[:, tree.coordinate] += tree.values[candidate.splits.leaf, 0]
        if not trees:
            return None
        return Round(tuple(tree for _, tree in trees), rows.risk)

    def _all(self, candidates: list[Candidate], rows: "MovingRows") -> list[tuple[Candidate, Tree]]:
        done = []
        for candidate in candidates:
            step = self.learning_rate * rows.along(candidate).step()
            if step > 0.0:
                rows.move(candidate, step)
                done.append((candidate, candidate.tree(step)))
        return done

    def _best(
        self, candidates: list[Candidate], rows: "MovingRows"
    ) -> list[tuple[Candidate, Tree]]:
        curves = [rows.along(candidate) for candidate in candidates]
        steps = [curve.step() for curve in curves]
        risks = [curve.value(step) for curve, step in zip(curves, steps, strict=True)]
        best = int(np.argmin(risks)) if risks else -1
        if best < 0 or steps[best] <= 0.0:
            return []
        step = self.learning_rate * steps[best]
        rows.move(candidates[best], step)
        return [(candidates[best], candidates[best].tree(step))]

    def _candidates(self, state: State, features: Indices) -> list[Candidate]:
        """One for each coordinate on which a split gains, those of largest gain first."""
        from simplexcoding.solvers.boosting.sweeps import best_stumps, histogram

        descent = self.problem.descent(state.S)
        weights = descent[np.arange(len(descent)), self.problem.y]
        pulled = self.problem.code.pull_back(descent)
        rows, dim = table(pulled, weights), pulled.shape[1]
        cuts = self.binned.n_bins[features] - 1
        sums = histogram(
            self.binned.codes, features, np.arange(len(rows)), rows, int(cuts.max()) + 1
        )
        gains, columns, last = best_stumps(
            sums, cuts, dim, 1e-10 * weights.sum(), self.shape.min_samples_leaf
        )
        order = [int(j) for j in np.argsort(-gains, kind="stable") if columns[j] >= 0]
        if self.shape.depth == 1:
            return [
                self._stump(j, int(features[columns[j]]), int(last[j]), gains[j], sums[columns[j]])
                for j in order
            ]
        return [self._tree(j, pulled[:, j], weights, features, sums) for j in order]

    def _stump(
        self, coordinate: int, feature: int, last: int, gain: float, sums: Floats
    ) -> Candidate:
        """Read a stump off the (B, K) histogram of its feature."""
        weight = self.problem.n_classes - 1
        pair = sums[:, [coordinate, weight]]
        left = pair[: last + 1].sum(axis=0)
        sides = np.array([left, pair.sum(axis=0) - left])
        splits = Splits(
            np.array([feature]),
            self.binned.edges[feature][last : last + 1],
            np.array([gain]),
            (self.binned.codes[feature] > last).astype(np.intp),
        )
        return Candidate(coordinate, splits, self._values(sides[:, 0], sides[:, 1]))

    def _tree(
        self, coordinate: int, descent: Floats, weights: Floats, features: Indices, sums: Floats
    ) -> Candidate:
        """Grow a deeper tree on one coordinate; the sweep has its root's histogram."""
        from simplexcoding.solvers.boosting.sweeps import leaf_sums

        dim = self.problem.n_classes - 1
        rows = table(descent[:, None], weights)
        root = np.zeros((*sums.shape[:2], rows.shape[1]))
        root[:, :, :3] = sums[:, :, [coordinate, dim, dim + 1]]
        splits = grow(self.binned, rows, 1, self.shape, features, root)
        assert splits is not None  # its root is a stump that gains
        leaves = leaf_sums(rows, splits.leaf, splits.n_leaves)
        return Candidate(coordinate, splits, self._values(leaves[:, 0], leaves[:, 1]))

    def _values(self, sums: Floats, weights: Floats) -> Floats:
        if self.signs:
            return np.sign(sums)
        return np.divide(sums, weights, where=weights > 0, out=np.zeros_like(sums))


@dataclass(frozen=True)
class MovingRows:
    """Q = exp(pace u) up to a factor a row, kept through the steps of one round.

    With x_i the sum of Q_ik/Q_iy over k != y, the exponential loss is x_i at pace 1/2 and
    the logistic loss log(1 + x_i) at pace 1.
    """

    Q: Floats
    others: Floats
    problem: BoostingProblem
    pace: float

    @classmethod
    def at(cls, S: Floats, problem: BoostingProblem) -> "MovingRows":
        """Rows at the scores S."""
        pace = 0.5 if problem.loss.name == "exponential" else 1.0
        own = S[np.arange(len(S)), problem.y]
        Q = np.exp(np.clip(pace * (S - own[:, None]), -500.0, 500.0))
        # Summed without the row's own 1, which would swallow small terms.
        others = Q.sum(axis=1, where=np.arange(S.shape[1]) != problem.y[:, None])
        return cls(Q, others, problem, pace)

    @cached_property
    def _gaps(self) -> Floats:
        """How fast class 0 and class j+1 leave the rest along coordinate j, for every j."""
        unit = self.problem.code.scores(np.eye(1, self.problem.n_classes - 1))[0]
        return self.pace * (unit[:2] - unit[-1])

    @property
    def risk(self) -> float:
        """Risk where the rows are."""
        x = self.others / self.Q[np.arange(len(self.Q)), self.problem.y]
        return float(self.problem.weights @ (np.log1p(x) if self.pace == 1.0 else x))

    def along(self, candidate: Candidate) -> "CoordinateCurve":
        """Risk along a candidate from where the rows are."""
        from simplexcoding.solvers.boosting.row_sums import coordinate_terms, sums_by_key

        y, weights = self.problem.y, self.problem.weights
        terms, key = coordinate_terms(
            self.Q, self.others, y, candidate.splits.leaf, candidate.coordinate
        )
        rates = candidate.values[:, None] * self._gaps
        logarithm = self.problem.loss.name == "logistic"
        if not logarithm:
            # The loss is linear in the terms, so a leaf and a class of rows act as one row.
            terms = sums_by_key(terms, key, weights, 3 * len(rates))
            key, weights = np.arange(3 * len(rates)), np.ones(3 * len(rates))
        return CoordinateCurve(terms, key, weights, rates, logarithm)

    def move(self, candidate: Candidate, step: float) -> None:
        """Take a step, in place."""
        from simplexcoding.solvers.boosting.row_sums import move

        steps = step * candidate.values[:, None] * self._gaps
        move(
            self.Q, self.others, self.problem.y, candidate.splits.leaf, candidate.coordinate, steps
        )


@dataclass(frozen=True)
class CoordinateCurve:
    """Risk along one coordinate: O(L) an evaluation (exponential) or O(n) (logistic).

    terms, key, weights : see `terms_along`
    rates : (L, 2) array, growth of class 0 and class j+1 in each leaf
    """

    terms: Floats
    key: Indices
    weights: Floats
    rates: Floats
    logarithm: bool

    def value(self, a: float) -> float:
        from simplexcoding.solvers.boosting.row_sums import terms_value

        return terms_value(self.terms, self.key, self.weights, self.rates, a, self.logarithm)

    def slope(self, a: float) -> float:
        from simplexcoding.solvers.boosting.row_sums import terms_slope

        return terms_slope(self.terms, self.key, self.weights, self.rates, a, self.logarithm)

    def step(self) -> float:
        """Return the exact step."""
        fastest = float(np.abs(self.rates).sum(axis=1).max())
        longest = _LONGEST_MOVE / fastest if fastest > 0 else 1.0
        return exact_step(self, longest / 16, longest)
