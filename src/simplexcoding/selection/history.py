"""What a ridge model remembers of its training rows, to change them exactly."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design import Folds
from simplexcoding.rows import Training
from simplexcoding.selection.splits import Splits
from simplexcoding.solvers.ridge import RidgeFactor, RidgeProblem


@dataclass(frozen=True)
class History:
    """Training rows, the problem they made with the moments of its features, and the splits.

    Rows join and leave, and the history that follows hands back a problem whose moments are
    known: sums and differences of moments, taken anew from the rows where a difference
    cancels.

    Parameters
    ----------
    training : Training
    problem : RidgeProblem
        Factorised again when it is asked; only its moments are kept.
    splits : Splits
    """

    training: Training
    problem: RidgeProblem
    splits: Splits

    @classmethod
    def of(cls, training: Training, factor: RidgeFactor, splits: Splits) -> "History":
        """What is kept of a factorised problem."""
        return cls(training, replace(factor.problem, moments=factor.moments), splits)

    def joined(self, batch: Training, groups: Any = None) -> "History":
        """With new rows at the end; groups are those of the batch as its caller numbers it."""
        splits = self.splits.joined(batch, groups)
        training = self.training.joined(batch)
        rows, moments = training.rows, self.problem.moments
        # The landmarks are among the first rows: their numbers stay.
        problem = replace(self.problem, X=rows.X, targets=rows.bare, moments=None)
        if moments is not None:
            places = np.searchsorted(training.classes, self.training.classes)
            new = slice(len(self.training.rows), None)
            moments = moments.with_classes(places, rows.n_classes)
            moments = moments + problem.part_moments(new, rows.bare.take(new))
            problem = replace(problem, moments=None if moments.cancelled else moments)
        return History(training, problem, splits)

    def scores(self, alpha: float, folds: Folds | None = None) -> Floats:
        """Left-out scores at alpha of all rows that the caller gave, (n, T)."""
        factor = self.problem.factorise()
        scores = factor.spectrum.left_out(alpha, folds).scores()
        if self.training.others is None:
            return scores
        function = factor.solve(alpha, self.training.numbers).function
        return self.training.spread(scores, function.scores(self.training.others))

    def without(self, numbers: Indices) -> "History":
        """Less some rows."""
        old = self.training
        staying = old.rows.others(numbers)
        landmarks = self._landmarks(staying)
        training = old.without(staying)
        if len(training.classes) < 2:
            raise ValueError(
                "indices must leave rows of at least two classes; "
                f"{len(training.rows)} rows of {len(training.classes)} would be left."
            )
        rows, moments = training.rows, self.problem.moments
        if moments is not None:
            gone = ~staying
            moments = moments - self.problem.part_moments(gone, old.rows.bare.take(gone))
            if moments.cancelled:
                moments = None
            else:
                moments = moments.only_classes(np.searchsorted(old.classes, training.classes))
        problem = replace(
            self.problem, X=rows.X, targets=rows.bare, landmarks=landmarks, moments=moments
        )
        return History(training, problem, self.splits.without(staying))

    def _landmarks(self, staying: Any) -> Indices | None:
        """Places of the landmarks among the rows that stay."""
        landmarks = self.problem.landmarks
        if landmarks is None:
            return None
        gone = landmarks[~staying[landmarks]]
        if len(gone):
            raise ValueError(
                f"indices holds row {self.training.numbers[gone[0]]}, a landmark: its values are "
                "part of the model. Fit again without the row."
            )
        return np.asarray((np.cumsum(staying) - 1)[landmarks])


def row_numbers(indices: Any, n_rows: int) -> Indices:
    """Indices of rows, checked, each once."""
    rows = np.atleast_1d(np.asarray(indices))
    if rows.dtype == bool and len(rows) == n_rows:
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        given = f"an array of {rows.dtype} of shape {rows.shape}"
        raise ValueError(f"indices must be row numbers, as in loo_scores_, got {given}.")
    if rows.size and (rows.min() < 0 or rows.max() >= n_rows):
        wrong = rows.min() if rows.min() < 0 else rows.max()
        raise ValueError(f"indices holds {wrong}, outside 0..{n_rows - 1}: the model's rows.")
    return np.unique(rows).astype(np.intp)
