"""The rows behind left-out scores, and the sets that follow from them."""

from typing import NamedTuple

import numpy as np

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


def check_left_out(left_out: Floats, y: Indices) -> None:
    """Refuse left-out scores that are not finite, or not (n, T) for n labels and T >= 2."""
    if left_out.ndim != 2 or left_out.shape[1] < 2 or len(left_out) != len(y):
        raise ValueError(
            f"left_out must have a row for each of the {len(y)} labels and a column for each "
            f"class, two at least, got shape {left_out.shape}."
        )
    if not np.isfinite(left_out).all():
        raise ValueError("left_out must be finite; drop the rows with nan or inf.")
