"""The rows behind left-out scores, and the sets that follow from them."""

from typing import NamedTuple

from simplexcoding.arrays import Bools, Floats, Indices


class LeftOutRows(NamedTuple):
    """Labels and weights behind left-out scores, and which rows of the scores they belong to.

    Parameters
    ----------
    y : (m,) array of class indices
    weights : (m,) array of how many rows each stands for, or None for one
    kept : (n,) array of booleans, m of them true; None for all rows
    """

    y: Indices
    weights: Floats | None
    kept: Bools | None

    def of(self, scores: Floats) -> Floats:
        """The rows of the scores (n, T) that were left out, (m, T)."""
        return scores if self.kept is None else scores[self.kept]
