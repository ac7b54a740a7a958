"""Figures of the code, the losses and fitted models; matplotlib is imported when one is drawn."""

from simplexcoding.plots.code import plot_code
from simplexcoding.plots.level_sets import plot_level_sets
from simplexcoding.plots.path import PathDisplay
from simplexcoding.plots.svc_path import HoldoutPathDisplay

__all__ = ["HoldoutPathDisplay", "PathDisplay", "plot_code", "plot_level_sets"]
