"""What a solver hands back: a function, how it ended, and what can be certified of it."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from simplexcoding.functions import Function

Report = Callable[[float], None]
"""Called with the fraction of the work that is done."""


def silent(fraction: float) -> None:
    """Report nothing."""


class Status(Enum):
    """How a solver ended; the value is what a person may do about it."""

    CONVERGED = "nothing to do"
    ITERATIONS = "raise max_iter or tol, or scale the features"
    NOT_FINITE = "X is too large for its dtype; scale the features"
    ROUNDS = "all rounds were run"
    SEPARATED = "every row is on its own side by a wide margin: more rounds change nothing"
    EXHAUSTED = "no weak learner lowers the risk: allow deeper trees or more features"
    HELD_OUT = "the held-out error no longer falls"

    @property
    def advice(self) -> str:
        """What to do about it."""
        return self.value


@dataclass(frozen=True)
class Solution:
    """The answer of a solver.

    Parameters
    ----------
    function : Function
    status : Status
    iterations : int
    certificate : what bounds the distance to the optimum, None where nothing does
    """

    function: Function
    status: Status = Status.CONVERGED
    iterations: int = 1
    certificate: Any = None
