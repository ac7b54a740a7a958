"""Figures of the code and of the losses; matplotlib is imported when one is drawn."""

from simplexcoding.plots.code import plot_code
from simplexcoding.plots.level_sets import plot_level_sets

__all__ = ["plot_code", "plot_level_sets"]
