"""How fast the gap falls: when to look at it next, and how many iterations are left."""

from dataclasses import dataclass

import numpy as np

_FIRST = 10
_AFTER_A_CHANGE = 20


@dataclass
class Pace:
    """The gaps of a run so far, and what they say.

    Parameters
    ----------
    tol : float, the gap to reach

    Attributes
    ----------
    check : iteration of the next look at the gap
    left : iterations still needed if the gap falls on as it did; inf where it does not fall
    stalled : looks since it last fell by a fifth
    """

    tol: float
    check: int = _FIRST
    left: float = 0.0
    stalled: int = 0
    _mark: tuple[int, float] = (0, np.inf)

    def note(self, iteration: int, gap: float) -> None:
        """Take in a gap; the next look is most of the way to where the gaps point.

        At most half as many iterations again, lest a slow start put it off for long; eight
        at least.
        """
        since, before = self._mark
        fall = np.log(before / gap) / (iteration - since) if gap > 0 else np.inf
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
        self._mark, self.stalled, self.check = (iteration, gap), 0, iteration + _AFTER_A_CHANGE
