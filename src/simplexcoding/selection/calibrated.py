"""Scores of left-out predictions after a calibration fitted to them."""

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.calibration import fit_calibration
from simplexcoding.inference.vector_scaling import Trail
from simplexcoding.selection.scoring import Scoring


@dataclass(frozen=True)
class CalibratedScoring(Scoring):
    """A scoring of decisions that a per-class calibration has moved.

    Each fit of the calibration begins at the one before it, on `trail`: along a path they
    are near.
    """

    inner: Scoring
    kind: str
    cheap: ClassVar[bool] = False
    trail: Trail = field(default_factory=Trail, repr=False, compare=False)

    def of_result(self, result: LeaveOneOut) -> float:
        scores = result.scores()
        weights = self.targets.weights
        calibration = fit_calibration(self.kind, scores, result.y, weights, self.trail)
        decisions = calibration.decisions(scores)
        n_classes = decisions.shape[1]
        # Predictions whose simplex scores are the decisions: errors Y - prediction, slack one.
        errors = decisions * (-(n_classes - 1) / n_classes)
        errors += self.targets.one_hot(errors.dtype)
        return self.inner.of_result(LeaveOneOut(errors, np.ones(len(errors)), result.y))

    def rows(self, index: object) -> "CalibratedScoring":
        return replace(self, targets=self.targets.take(index), inner=self.inner.rows(index))
