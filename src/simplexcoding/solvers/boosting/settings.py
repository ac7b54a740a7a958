"""How rounds are made, in numbers, and the method that makes them on some rows."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from simplexcoding.arrays import Bools
from simplexcoding.losses import Odds, get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.coordinate import CoordinateMethod
from simplexcoding.solvers.boosting.feature_draw import FeatureDraw
from simplexcoding.solvers.boosting.gradient import GradientMethod
from simplexcoding.solvers.boosting.greedy_tree import Shape
from simplexcoding.solvers.boosting.newton import NewtonMethod
from simplexcoding.solvers.boosting.regressors import RegressorMethod
from simplexcoding.solvers.boosting.rounds import BoostingProblem, Method


def check_method(method: str, loss: str, regressor: Any = None) -> None:
    """Raise ValueError unless the method can serve the loss and the weak learner."""
    odds = get_loss(loss, ("odds",)).odds
    others = 'method="newton": set method="gradient" or "coordinate".'
    if method == "newton" and odds is not Odds.LOGARITHM:
        raise ValueError(f"loss={loss!r} has no {others}")
    if method == "newton" and regressor is not None:
        raise ValueError(f"estimator has no {others}")


@dataclass(frozen=True)
class Settings:
    """What the rounds of a fit have in common.

    Parameters
    ----------
    loss : str
    method : "newton", "gradient" or "coordinate"
    learning_rate : float
    shape : Shape of the trees; its l2 term is that of one class
    n_features : int, features drawn for a round
    n_directions : int, for "newton"
    max_bins : int
    snapped : bool, whether leaves are code vectors
    every : bool, whether a round of "coordinate" steps every coordinate
    regressor : weak learner in place of trees, or None
    seed : int
    """

    loss: str
    method: str
    learning_rate: float
    shape: Shape
    n_features: int
    n_directions: int
    max_bins: int
    snapped: bool
    every: bool
    regressor: Any
    seed: int

    def binned(self, rows: Rows, categorical: Bools) -> BinnedRows | None:
        """The rows in bins, for trees; None for other weak learners."""
        if self.regressor is not None:
            return None
        return BinnedRows.from_data(rows.X, rows.weights, self.max_bins, categorical)

    def method_for(self, binned: BinnedRows | None) -> Callable[[Rows, Any], Method]:
        """What makes the method for some of the binned rows, given and by their places."""
        if binned is None:
            return lambda some, _: RegressorMethod(
                BoostingProblem.of(get_loss(self.loss), some),
                some.X,
                self.regressor,
                self.learning_rate,
                self.method == "gradient",
                self.every,
                self.seed,
            )
        return lambda some, places: self._method(some, binned.take(places))

    def _method(self, rows: Rows, binned: BinnedRows) -> Method:
        problem = BoostingProblem.of(get_loss(self.loss), rows)
        draw = FeatureDraw(len(binned.edges), self.n_features, self.seed)
        if self.method == "gradient":
            return GradientMethod(
                problem, binned, self.shape, draw, self.learning_rate, self.snapped
            )
        if self.method == "coordinate":
            return CoordinateMethod(
                problem, binned, self.shape, draw, self.learning_rate, self.snapped, self.every
            )
        return NewtonMethod(
            problem,
            rows.total,
            binned,
            self.shape,
            draw,
            self.learning_rate,
            self.n_directions,
            self.seed,
        )
