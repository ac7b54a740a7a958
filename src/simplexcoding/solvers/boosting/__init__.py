"""Simplex boosting: rounds of weak learners with values in R^(T-1)."""

from simplexcoding.solvers.boosting.binning import BinnedRows
from simplexcoding.solvers.boosting.booster import Booster, HoldOut, Trail, best_of
from simplexcoding.solvers.boosting.categories import Categories
from simplexcoding.solvers.boosting.coordinate import CoordinateMethod
from simplexcoding.solvers.boosting.equal_rows import merged
from simplexcoding.solvers.boosting.feature_draw import FeatureDraw, draws_to_try, features_drawn
from simplexcoding.solvers.boosting.forest import Forest, Tree
from simplexcoding.solvers.boosting.gradient import GradientMethod
from simplexcoding.solvers.boosting.greedy_tree import Shape
from simplexcoding.solvers.boosting.held_out import CalibratedLogLoss, Watch, share_of_errors
from simplexcoding.solvers.boosting.newton import NewtonMethod
from simplexcoding.solvers.boosting.regressors import RegressorEnsemble
from simplexcoding.solvers.boosting.rounds import BoostingProblem, Method, Round, State, boost
from simplexcoding.solvers.boosting.settings import Settings, check_method
from simplexcoding.solvers.boosting.warm_start import Recipe

__all__ = [
    "BinnedRows",
    "Booster",
    "BoostingProblem",
    "CalibratedLogLoss",
    "Categories",
    "CoordinateMethod",
    "FeatureDraw",
    "Forest",
    "GradientMethod",
    "HoldOut",
    "Method",
    "NewtonMethod",
    "Recipe",
    "RegressorEnsemble",
    "Round",
    "Settings",
    "Shape",
    "State",
    "Trail",
    "Tree",
    "Watch",
    "best_of",
    "boost",
    "check_method",
    "draws_to_try",
    "features_drawn",
    "merged",
    "share_of_errors",
]
