"""Figures of the code, the losses and fitted models; matplotlib is imported when one is drawn."""

from simplexcoding.plots.audit import AuditDisplay
from simplexcoding.plots.candidates import CandidatesDisplay
from simplexcoding.plots.code import plot_code
from simplexcoding.plots.level_sets import plot_level_sets
from simplexcoding.plots.path import PathDisplay
from simplexcoding.plots.reliability import ReliabilityDisplay
from simplexcoding.plots.set_sizes import SetSizeDisplay

__all__ = [
    "AuditDisplay",
    "CandidatesDisplay",
    "PathDisplay",
    "ReliabilityDisplay",
    "SetSizeDisplay",
    "plot_code",
    "plot_level_sets",
]
