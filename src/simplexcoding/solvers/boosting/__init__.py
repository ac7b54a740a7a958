"""Simplex boosting: rounds of weak learners with values in R^(T-1), and an exact step each."""

from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.coordinate import CoordinateMethod
from simplexcoding.solvers.boosting.draw import FeatureDraw
from simplexcoding.solvers.boosting.forest import Forest, Tree
from simplexcoding.solvers.boosting.gradient import GradientMethod
from simplexcoding.solvers.boosting.growth import Shape
from simplexcoding.solvers.boosting.newton import NewtonMethod
from simplexcoding.solvers.boosting.rounds import (
    BoostingProblem,
    BoostingSolution,
    HeldOut,
    Method,
    Round,
    State,
    Stop,
    boost,
)

__all__ = [
    "BinnedRows",
    "BoostingProblem",
    "BoostingSolution",
    "CoordinateMethod",
    "FeatureDraw",
    "Forest",
    "GradientMethod",
    "HeldOut",
    "Method",
    "NewtonMethod",
    "Round",
    "Shape",
    "State",
    "Stop",
    "Tree",
    "boost",
]
