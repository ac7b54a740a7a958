"""GD-MCBoost: one vector-valued tree per round, along the steepest descent of the risk."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.losses.loss import Odds, vertex_scores
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.curves import (
    Along,
    ExponentialCurve,
    LogisticCurve,
    LossCurve,
    longest_step,
    odds,
)
from simplexcoding.solvers.boosting.feature_draw import FeatureDraw
from simplexcoding.solvers.boosting.greedy_tree import Shape, grow, table
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.solvers.boosting.line_search import exact_step
from simplexcoding.solvers.boosting.rounds import BoostingProblem, OnScores, Round, State

# Rounds after which a table of products is made anew, before rounding adds up in it.
_ROUNDS_PER_TABLE = 16


@dataclass(frozen=True)
class GradientMethod(OnScores):
    """A multi-output regression tree with weights w_i on the directions d_i, then a step.

    Leaves hold the weighted mean of d ("vector") or the code vector nearest to it ("vertex").
    The step is exact along the tree: in closed form for vertices under the exponential
    loss, else by search.

    Parameters
    ----------
    problem : BoostingProblem, exponential or logistic
    binned : BinnedRows
    shape : Shape
    draw : FeatureDraw
    learning_rate : float in (0, 1], which multiplies the exact step
    vertices : bool, whether leaves are snapped to code vectors
    """

    problem: BoostingProblem
    binned: BinnedRows
    shape: Shape
    draw: FeatureDraw
    learning_rate: float = 1.0
    vertices: bool = False

    def round(self, state: State, number: int) -> Round | None:
        rows = self._table(state, number)
        splits = self._splits(rows, number)
        leaves = self._leaves(rows, splits)
        curve = self._curve(rows, splits, leaves, state)
        step = self._step(curve, leaves)
        step *= self.learning_rate
        risk = curve.value(step)
        if risk >= curve.value(0.0):
            return None
        code = self.problem.code
        values = code.pull_back(leaves) * (code.dim / code.n_classes)
        tree = splits.tree(step * values)
        state.S += (step * leaves)[splits.leaf]
        state.table = self._next_table(rows, splits, curve, step)
        return Round((tree,), risk)

    def _next_table(
        self, rows: Floats, splits: GrownTree, curve: Along, step: float
    ) -> Floats | None:
        """Return the table after a step, made in place: terms of the loss are only multiplied."""
        from simplexcoding.solvers.boosting.loops.line_search_sums import multiply_terms

        factors = curve.factors(step)
        if factors is None:
            return None
        multiply_terms(rows, splits.leaf, self.problem.y, factors)
        return rows

    def _table(self, state: State, number: int) -> Floats:
        if state.table is not None and number % _ROUNDS_PER_TABLE:
            return state.table
        descent = self.problem.descent(state.S)
        return table(descent, descent[np.arange(len(descent)), self.problem.y])

    def _splits(self, rows: Floats, number: int) -> GrownTree:
        T, features = self.problem.n_classes, self.draw(number)
        splits = grow(self.binned, rows, T, self.shape, features)
        if splits.whole and len(features) < self.draw.p:
            # The draw may hold constant features only.
            splits = grow(self.binned, rows, T, self.shape, np.arange(self.draw.p))
        return splits

    def _leaves(self, rows: Floats, splits: GrownTree) -> Floats:
        """Scores of the leaves, (L, T); zero where no row is."""
        from simplexcoding.solvers.boosting.loops.tree_sums import leaf_sums

        T = self.problem.n_classes
        sums = leaf_sums(rows, splits.leaf, splits.n_leaves)
        weight = sums[:, T : T + 1]
        reached = weight > 0
        if self.vertices:
            return np.where(reached, vertex_scores(sums[:, :T].argmax(axis=1), T), 0.0)
        return (
            T
            / (T - 1)
            * np.divide(sums[:, :T], weight, where=reached, out=np.zeros((len(sums), T)))
        )

    def _curve(self, rows: Floats, splits: GrownTree, leaves: Floats, state: State) -> Along:
        from simplexcoding.solvers.boosting.loops.tree_sums import class_sums

        problem, T = self.problem, self.problem.n_classes
        # Beyond n leaves by classes the sums would be larger than the scores themselves.
        form = problem.loss.odds
        if form is Odds.SUM and splits.n_leaves * T <= len(rows):
            # A wrong class's term of the loss is twice its gradient.
            E = -2 * class_sums(rows, splits.leaf, problem.y, splits.n_leaves, T)
            E[:, np.arange(T), np.arange(T)] = 0.0
            return ExponentialCurve(E, leaves)
        if form is Odds.LOGARITHM:
            return LogisticCurve(
                odds(state.S, problem.y), splits.leaf, problem.y, problem.weights, leaves
            )
        return LossCurve(problem.loss, state.S, leaves[splits.leaf], problem.y, problem.weights)

    def _step(self, curve: Along, leaves: Floats) -> float:
        longest = longest_step(leaves)
        known = curve.vertex_step(longest) if self.vertices else None
        return exact_step(curve, longest) if known is None else known
