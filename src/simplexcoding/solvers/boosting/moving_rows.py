"""The training rows while the coordinates of one round are stepped, and the risk along each."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.losses import Odds
from simplexcoding.solvers.boosting.forest import Tree
from simplexcoding.solvers.boosting.grown_tree import GrownTree
from simplexcoding.solvers.boosting.line_search import exact_step
from simplexcoding.solvers.boosting.rounds import BoostingProblem

# Running sums of a round are not made anew after a step: it may not cancel them.
_LONGEST_MOVE = 20.0


@dataclass(frozen=True)
class Candidate:
    """A scalar tree on one coordinate, before its step: values (L,) at the leaves."""

    coordinate: int
    splits: GrownTree
    values: Floats

    def tree(self, step: float) -> Tree:
        """Return the tree times its step."""
        return self.splits.tree(step * self.values[:, None], self.coordinate)


@dataclass(frozen=True)
class MovingRows:
    """Q = exp(pace u) up to a factor per row, kept through the steps of one round.

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
        pace = problem.odds.pace
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
        return float(
            self.problem.weights @ (np.log1p(x) if self.problem.odds is Odds.LOGARITHM else x)
        )

    def along(self, candidate: Candidate) -> "CoordinateCurve":
        """Risk along a candidate from where the rows are."""
        from simplexcoding.solvers.boosting.loops.line_search_sums import (
            coordinate_terms,
            sums_by_key,
        )

        y, weights = self.problem.y, self.problem.weights
        terms, key = coordinate_terms(
            self.Q, self.others, y, candidate.splits.leaf, candidate.coordinate
        )
        rates = candidate.values[:, None] * self._gaps
        logarithm = self.problem.odds is Odds.LOGARITHM
        if not logarithm:
            # The loss is linear in the terms, so a leaf and a class of rows act as one row.
            terms = sums_by_key(terms, key, weights, 3 * len(rates))
            key, weights = np.arange(3 * len(rates)), np.ones(3 * len(rates))
        return CoordinateCurve(terms, key, weights, rates, logarithm)

    def move(self, candidate: Candidate, step: float) -> None:
        """Take a step, in place."""
        from simplexcoding.solvers.boosting.loops.line_search_sums import move

        steps = step * candidate.values[:, None] * self._gaps
        move(
            self.Q, self.others, self.problem.y, candidate.splits.leaf, candidate.coordinate, steps
        )


@dataclass(frozen=True)
class CoordinateCurve:
    """Risk along one coordinate: O(L) an evaluation (exponential) or O(n) (logistic).

    terms, key, weights : see `terms_along`
    rates : (L, 2) array, exponents of class 0 and class j+1 in each leaf
    """

    terms: Floats
    key: Indices
    weights: Floats
    rates: Floats
    logarithm: bool

    def value(self, a: float) -> float:
        from simplexcoding.solvers.boosting.loops.line_search_sums import terms_value

        return terms_value(self.terms, self.key, self.weights, self.rates, a, self.logarithm)

    def slope(self, a: float) -> float:
        from simplexcoding.solvers.boosting.loops.line_search_sums import terms_slope

        return terms_slope(self.terms, self.key, self.weights, self.rates, a, self.logarithm)

    def step(self) -> float:
        """Return the exact step."""
        fastest = float(np.abs(self.rates).sum(axis=1).max())
        longest = _LONGEST_MOVE / fastest if fastest > 0 else 1.0
        return exact_step(self, longest)
