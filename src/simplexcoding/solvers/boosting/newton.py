"""Newton boosting: one vector-valued tree per round for the logistic loss, however many classes."""

from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import softmax

from simplexcoding.arrays import Floats, Indices
from simplexcoding.rows import row_weights
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.feature_draw import FeatureDraw
from simplexcoding.solvers.boosting.greedy_tree import Shape, grow, room
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.solvers.boosting.rounds import BoostingProblem, Round
from simplexcoding.solvers.boosting.tree_arrays import slots_for
from simplexcoding.solvers.boosting.weight_trimming import heavy_rows
from simplexcoding.threads import in_parts, threads_for

# Probabilities below which a second thread costs more than it brings.
_LEAST_WORK_FOR_THREADS = 1 << 18
# Rows from which on it saves time to leave some out of a search.
_MANY_ROWS = 1000


@dataclass(frozen=True)
class NewtonMethod:
    """Splits found in a random projection of the simplex, leaves exact in all classes.

    The descent of a row is w (e_y - p), p the softmax of its scores. A round draws k directions
    in R^T, grows a tree on the descents along them, O(n m k) per level whatever T is, and
    gives each leaf the Newton step of every class,

        v_k = learning_rate (T-1)/T sum_i w_i (e_y - p_i)_k / (sum_i w_i p_ik (1 - p_ik) + l2),

    centred. Gains have the trace of the Hessian, sum_k p_k (1 - p_k), as weight of a row, and
    T l2, the trace of the l2 term, beside it.

    Parameters
    ----------
    problem : BoostingProblem, logistic
    mass : float, rows that the problem's weights stand for: the unit of l2 and of leaf weights
    binned : BinnedRows
    shape : Shape; its l2 is that of the formula above
    draw : FeatureDraw
    learning_rate : float > 0
    n_directions : int, k; with k >= T the projection is left out
    seed : int, for the directions
    trim : float in [0, 1)
        Share of the curvature that the search may miss: rows that are all but certain, most of
        them after some rounds, only walk to their leaves. Among few rows none is left out.
    """

    problem: BoostingProblem
    mass: float
    binned: BinnedRows
    shape: Shape
    draw: FeatureDraw
    learning_rate: float
    n_directions: int
    seed: int
    trim: float = 0.1
    _work: list[Floats] = field(default_factory=list, init=False, repr=False, compare=False)

    def start(self, S: Floats | None) -> "Probabilities":
        """Rows at scores S, or at zero."""
        from simplexcoding.solvers.boosting.loops.softmax_rows import padded

        n, T = len(self.problem.y), self.problem.n_classes
        P = np.full((n, T), 1 / T, dtype=np.float32)
        if S is not None:
            P[:] = softmax(S, axis=1)
        repeats = row_weights(self.binned.repeats, n)
        return Probabilities(padded(P), T, self.problem.weights * self.mass, repeats)

    def round(self, state: "Probabilities", number: int) -> Round | None:
        problem = self.problem
        splits = self._splits(state, number)
        leaves = self._leaves(state, splits)
        risk = state.move(leaves, splits, problem) / self.mass
        code = problem.code
        values = code.pull_back(leaves) * (code.dim / code.n_classes)
        return Round((splits.tree(values.astype(np.float32)),), risk)

    def directions(self, number: int) -> Floats:
        """Directions of a round, (T, k): independent normal entries."""
        T = self.problem.n_classes
        if self.n_directions >= T:
            return np.eye(T)
        rng = np.random.default_rng([self.seed, number, 1])
        return rng.normal(size=(T, self.n_directions)) / np.sqrt(self.n_directions)

    def _splits(self, state: "Probabilities", number: int) -> GrownTree:
        features, directions = self.draw(number), self.directions(number)
        rows = state.table(self.problem, directions)
        splits = self._grown(rows, directions.shape[1], features)
        if splits.whole and len(features) < self.draw.p:
            # The draw may hold constant features only.
            splits = self._grown(rows, directions.shape[1], np.arange(self.draw.p))
        return splits

    def _grown(self, rows: Floats, dim: int, features: Indices) -> GrownTree:
        parts, m = threads_for(True), len(features)
        if not self._work or self._work[0].shape[:2] != (slots_for(self.shape.depth, parts), m):
            self._work[:] = [room(self.binned, m, rows.shape[1], self.shape, parts)]
        some = None
        if max(len(rows), self.mass) >= _MANY_ROWS:
            some = heavy_rows(rows[:, dim], self.problem.weights * self.mass, self.trim)
        return grow(
            self.binned,
            rows,
            dim,
            self._shape,
            features,
            work=self._work[0],
            some=None if some is None or len(some) == len(rows) else some,
            threads=True,
        )

    @property
    def _shape(self) -> Shape:
        """The shape with the l2 term of gains, which is that of all classes."""
        return replace(self.shape, l2=self.problem.n_classes * self.shape.l2)

    def _leaves(self, state: "Probabilities", splits: GrownTree) -> Floats:
        """Scores of the leaves, (L, T), times the learning rate; zero where no row is."""
        T = self.problem.n_classes
        descent, curvature = state.leaf_derivatives(splits, self.problem)
        # Rows that are all but certain have next to no curvature.
        leaves = descent / (curvature + max(self.shape.l2, 1e-12))
        leaves -= leaves.mean(axis=1, keepdims=True)
        return self.learning_rate * (T - 1) / T * leaves


@dataclass
class Probabilities:
    """Where the rounds are: probabilities of the training rows, weights and repeats.

    The probabilities are padded, see `softmax_rows`.
    """

    padded: np.ndarray
    n_classes: int
    weights: Floats
    repeats: Floats
    _table: Floats | None = None

    @property
    def P(self) -> np.ndarray:
        """Probabilities of the training rows, (n, T)."""
        return self.padded[:, : self.n_classes]

    def table(self, problem: BoostingProblem, directions: Floats) -> Floats:
        """What the next tree is grown on, see `tree_growth`; the next call writes over it.

        The descent of a row is w (e_y - p), its curvature w sum_k p_k (1 - p_k), the trace of the
        Hessian of its logistic loss. O(n T k).
        """
        from simplexcoding.solvers.boosting.loops.softmax_rows import project

        T, k = directions.shape
        width = -(-(k + 2) // 8) * 8
        if self._table is None or self._table.shape[1] != width:
            self._table = np.empty((len(self.padded), width))
        along = np.zeros((T, width), dtype=np.float32)
        along[:, :k] = directions
        arrays = self.padded, T, problem.y, self.weights, self.repeats, along, k, self._table
        in_parts(lambda first, last: project(*arrays, first, last), len(self.padded), self._many)
        return self._table

    def leaf_derivatives(
        self, splits: GrownTree, problem: BoostingProblem
    ) -> tuple[Floats, Floats]:
        """Descent and curvature of each class in each leaf, (L, T) both."""
        from simplexcoding.solvers.boosting.loops.softmax_rows import leaf_derivatives

        T = problem.n_classes
        descent, curvature = np.zeros((2, splits.n_leaves, self.padded.shape[1]))
        rows = self.padded, problem.y, self.weights
        leaves = splits.leaf, descent, curvature
        before = np.cumsum(splits.ends - splits.begins)

        def add(first: int, last: int) -> None:
            # Leaves that end within first + 1, ..., last rows: parts of about as many rows.
            some = np.searchsorted(before, [first, last], side="right")
            leaf_derivatives(*rows, *leaves, some[0] if first else 0, some[1])

        in_parts(add, len(self.padded), self._many)
        return descent[:, :T], curvature[:, :T]

    def move(self, leaves: Floats, splits: GrownTree, problem: BoostingProblem) -> float:
        """Add the scores of its leaf to each row; return the risk times the weight of all rows."""
        from simplexcoding.solvers.boosting.loops.softmax_rows import BLOCK, multiply, padded

        factors = padded(np.exp(leaves).astype(np.float32))
        risks = np.empty(-(-len(self.padded) // BLOCK))
        arrays = self.padded, splits.leaf, factors, problem.y, self.weights, risks
        in_parts(lambda first, last: multiply(*arrays, first, last), len(risks), self._many)
        return float(risks.sum())

    @property
    def _many(self) -> bool:
        return self.padded.size >= _LEAST_WORK_FOR_THREADS
