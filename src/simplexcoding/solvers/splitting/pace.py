"""How a run of the splitting is paced: when to look at its gap, and with which penalty to go on."""

from dataclasses import dataclass

import numpy as np

from simplexcoding.solvers.margin import MarginProblem, State

_FIRST_CHECK = 10
_CHECK_AFTER_A_CHANGE = 20
# A penalty that changes for ever need not converge.
_MOST_CHANGES = 12
# Fewer iterations than this say little about the multipliers.
_SETTLED_ITERATIONS = 20
# Multiples of ||D|| / ||Z|| with which the gap falls fastest.
_HINGE, _SPARSE, _SMOOTH, _UNDER_THE_HULL = 2.5, 0.5, 0.2, 20.0
_TINY = float(np.finfo(np.float32).tiny)


def balanced_penalty(problem: MarginProblem, state: State) -> float:
    """Penalty that suits a problem whose scores and multipliers have come to this state.

    ||D|| / ||Z|| makes both move at one pace, in whatever units kernel and C are. Hinges are
    served by a little more; losses with multipliers at few rows, and smooth ones, whose
    multipliers follow the scores, by less. Under the hull the gap waits for the last row to
    come inside, and more serves.
    """
    loss = problem.loss
    factor = _SMOOTH if loss.smooth else _SPARSE if loss.sparse else _HINGE
    factor = _UNDER_THE_HULL if problem.hull else factor
    ratio = float(np.linalg.norm(state.D)) / max(float(np.linalg.norm(state.Z)), _TINY)
    return factor * max(ratio, _TINY)


@dataclass
class Pace:
    """The gaps of a run so far, and what they say.

    Parameters
    ----------
    tol : float, the gap to reach
    price : float
        Iterations that take as long as a new operator; it decides whether another penalty
        is worth its price.

    Attributes
    ----------
    check : iteration of the next look at the gap
    left : iterations still needed if the gap falls on as it did; inf where it does not fall
    stalled : looks since it last fell by a fifth
    """

    tol: float
    price: float
    check: int = _FIRST_CHECK
    left: float = 0.0
    stalled: int = 0
    _changes: int = 0
    _mark: tuple[int, float] = (0, np.inf)

    def note(self, iteration: int, gap: float) -> None:
        """Take in a gap; the next look is most of the way to where the gaps point.

        At most half as many iterations again, so that a slow start does not put it off for
        long; eight at least.
        """
        since, before = self._mark
        fall = np.inf if gap <= 0 else -np.inf
        if 0 < gap < np.inf and before > 0:
            fall = (np.log(before) - np.log(gap)) / (iteration - since)
        falls = gap < 0.8 * before
        wait = max(10, iteration // 10)
        if 0 < fall < np.inf:
            self.left = np.log(gap / self.tol) / fall
            most = max(10, iteration // 2) if falls else wait
            wait = int(np.clip(0.75 * self.left if self.left > 20 else self.left, 8, most))
        else:
            self.left = np.inf if fall <= 0 else 0.0
        self.check = iteration + wait
        self.stalled += 1
        if falls:
            self._mark, self.stalled = (iteration, gap), 0

    def restart(self, iteration: int, gap: float) -> None:
        """Forget the gaps before: the operator has changed."""
        self._mark, self.stalled = (iteration, gap), 0
        wait = _CHECK_AFTER_A_CHANGE if self.price > 1 else _FIRST_CHECK
        self.check = iteration + wait

    def penalty(self, iteration: int, rho: float, balanced: float) -> float:
        """The penalty to go on with: the balanced one where that pays, else rho.

        Each factor of three towards balance is taken to halve the iterations left. A factor
        below two is none.
        """
        powers = abs(np.log(balanced / rho)) / np.log(3.0)
        # In this order: of infinitely many iterations left, a factor of one saves none.
        if self._changes == _MOST_CHANGES or powers < 0.6:
            return rho
        if self.left * (1 - 0.5**powers) <= self.price:
            return rho
        if self.price > 1 and iteration < _SETTLED_ITERATIONS:
            return rho
        self._changes += 1
        return float(balanced)
