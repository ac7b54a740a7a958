"""The theory as code: risks, consistency, comparison inequalities, the noise condition."""

from simplexcoding.relaxation.comparison import comparison_bound
from simplexcoding.relaxation.consistency import ConsistencyCheck, check_consistency
from simplexcoding.relaxation.noise import NoiseCondition, noise_condition
from simplexcoding.relaxation.risks import FiniteDistribution, conditional_loss
from simplexcoding.relaxation.table import TableRow, format_table, theory_table

__all__ = [
    "ConsistencyCheck",
    "FiniteDistribution",
    "NoiseCondition",
    "TableRow",
    "check_consistency",
    "comparison_bound",
    "conditional_loss",
    "format_table",
    "noise_condition",
    "theory_table",
]
