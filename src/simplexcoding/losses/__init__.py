"""Losses on scores, one file each, and the catalogue that names them."""

from simplexcoding.losses.catalogue import CATALOGUE, get_loss, losses_offering
from simplexcoding.losses.cone import ConeHinge
from simplexcoding.losses.exponential import Exponential
from simplexcoding.losses.half_space import HalfSpaceHinge
from simplexcoding.losses.least_squares import LeastSquares
from simplexcoding.losses.logistic import Logistic
from simplexcoding.losses.loss import Comparison, Loss, Odds
from simplexcoding.losses.relative import RelativeHinge
from simplexcoding.losses.vertex import VertexDistance

__all__ = [
    "CATALOGUE",
    "Comparison",
    "ConeHinge",
    "Exponential",
    "HalfSpaceHinge",
    "LeastSquares",
    "Logistic",
    "Loss",
    "Odds",
    "RelativeHinge",
    "VertexDistance",
    "get_loss",
    "losses_offering",
]
