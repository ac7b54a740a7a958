"""Scores of left-out predictions after a calibration fitted to them."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from simplexcoding.inference.calibration import Calibration, fit_calibration
from simplexcoding.selection.scoring import Scoring
from simplexcoding.spectrum import LeaveOneOut


@dataclass(frozen=True)
class CalibratedScoring(Scoring):
    """A scoring of decisions that a per-class calibration has moved.

    Each fit of the calibration begins at the one before it: along a path they are near.
    """

    inner: Scoring
    kind: str
    cheap: ClassVar[bool] = False
    _last: list[Calibration] = field(default_factory=list, repr=False, compare=False)

    def calibrate(self, result: LeaveOneOut) -> Calibration:
        """Calibration of left-out scores, begun at the last one fitted."""
        start = self._last[-1] if self._last else None
        found = fit_calibration(self.kind, result.scores(), result.y, self.targets.weights, start)
        self._last[:] = [found]
        return found

    def of_result(self, result: LeaveOneOut) -> float:
        decisions = self.calibrate(result).decisions(result.scores())
        n_classes = decisions.shape[1]
        # Predictions whose simplex scores are the decisions: errors Y - prediction, slack one.
        errors = decisions * (-(n_classes - 1) / n_classes)
        errors += self.targets.one_hot(errors.dtype)
        return self.inner.of_result(LeaveOneOut(errors, np.ones(len(errors)), result.y))

    def rows(self, index: object) -> "CalibratedScoring":
        return CalibratedScoring(self.targets.rows(index), self.inner.rows(index), self.kind)
