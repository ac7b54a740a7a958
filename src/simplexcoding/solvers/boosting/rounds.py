"""The boosting loop: what a round is, when to stop, and what comes out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.coding import SimplexCode
from simplexcoding.losses import Loss, Odds
from simplexcoding.rows import Rows
from simplexcoding.solvers.solution import Status

# Below it the rows are separated beyond what floats can tell apart.
LEAST_RISK = 1e-100


@dataclass(frozen=True)
class BoostingProblem:
    """Minimise R(f) = sum_i w_i V(C f(x_i), y_i) over sums of weak learners.

    Parameters
    ----------
    loss : Loss
    y : (n,) class indices
    n_classes : T
    weights : (n,) array that sums to one
    """

    loss: Loss
    y: Indices
    n_classes: int
    weights: Floats

    @classmethod
    def of(cls, loss: Loss, rows: Rows) -> "BoostingProblem":
        """The problem of some rows."""
        return cls(loss, rows.y, rows.n_classes, rows.counts / rows.total)

    @property
    def code(self) -> SimplexCode:
        """Code of T classes."""
        return SimplexCode(self.n_classes)

    def start(self, S: Floats | None) -> "State":
        """State at scores S, or at zero."""
        shape = len(self.y), self.n_classes
        return State(np.zeros(shape) if S is None else S.copy())

    def risk(self, S: Floats) -> float:
        """R at the scores S, (n, T)."""
        return float(self.weights @ self.loss.value(S, self.y))

    def descent(self, S: Floats) -> Floats:
        """Return -dR/du at the scores S, (n, T); its own-class entry is half the row's weight.

        In the letters of Saberian and Vasconcelos, w_i = 2 r_(i,y_i) and the scores of the
        direction d_i are 2T/(T-1) r_i / w_i.
        """
        return -self.weights[:, None] * self.loss.subgradient(S, self.y)

    @property
    def odds(self) -> Odds:
        """The loss as a function of odds, which the methods on coordinates need."""
        if self.loss.odds is None:
            raise ValueError(f"loss {self.loss.name} is no function of odds.")
        return self.loss.odds


@dataclass
class State:
    """Where the rounds are: the scores of the training rows, (n, T).

    `table` is what the next round grows its tree on, where the last one could make it from its own.
    """

    S: Floats
    table: Floats | None = None


class Part(Protocol):
    """A weak learner times its step."""

    def add(self, X: Floats, F: Floats) -> None:
        """Add its answers at the rows of X to F, (n, T-1), in place."""


@dataclass(frozen=True)
class Round:
    """The weak learners of a round, times their steps, and the risk after it.

    Parameters
    ----------
    parts : tuple of weak learners times their steps
    risk : float
    """

    parts: tuple[Part, ...]
    risk: float


class OnScores:
    """A method of rounds that begin with the scores of the rows, and nothing more."""

    problem: BoostingProblem

    def start(self, S: Floats | None) -> State:
        """Where the rounds begin."""
        return self.problem.start(S)


class Method(Protocol):
    """How rounds are made."""

    def start(self, S: Floats | None) -> Any:
        """Where the rounds begin: at scores S, left as they are, or at zero."""

    def round(self, state: Any, number: int) -> Round | None:
        """Move the state and say by what; None where no weak learner lowers the risk."""


def boost(
    method: Method,
    n_rounds: int,
    *,
    S: Floats | None = None,
    first: int = 0,
    progress: Callable[..., None] | None = None,
) -> tuple[list[Round], Status]:
    """Run rounds until they are done or there is nothing to gain.

    Parameters
    ----------
    method : Method
    n_rounds : int
    S : (n, T) array of scores to start from, left as it is; zero by default
    first : int, default=0
        Number of the first round: a later call goes on where an earlier one ended.
    progress : callable, default says nothing
        Called with the fraction done.
    """
    state = method.start(S)
    rounds: list[Round] = []
    for number in range(n_rounds):
        new = method.round(state, first + number)
        if new is None:
            return rounds, Status.EXHAUSTED
        rounds.append(new)
        if new.risk <= LEAST_RISK:
            return rounds, Status.SEPARATED
        if progress is not None:
            progress((number + 1) / n_rounds)
    return rounds, Status.ROUNDS
