"""Scores of left-out predictions after a calibration by the other rows."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from simplexcoding.arrays import centred
from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.vector_scaling import Trail, left_out_logits
from simplexcoding.rows import Rows
from simplexcoding.selection.scorer import make_scoring
from simplexcoding.selection.scoring import Scoring


@dataclass(frozen=True)
class CalibratedScoring(Scoring):
    """A scoring of decisions that a per-class calibration, fitted without their row, has moved.

    Each fit of the calibration begins at the one before it, on `trail`: along a path they
    are near.
    """

    inner: Scoring
    cheap: ClassVar[bool] = False
    trail: Trail = field(default_factory=Trail, repr=False, compare=False)

    def of_result(self, result: LeaveOneOut) -> float:
        logits = left_out_logits(result.scores(), result.y, self.targets.weights, self.trail)
        decisions = centred(logits)
        n_classes = decisions.shape[1]
        # Predictions whose simplex scores are the decisions: errors Y - prediction, slack one.
        errors = decisions * (-(n_classes - 1) / n_classes)
        errors += self.targets.one_hot(errors.dtype)
        return self.inner.of_result(LeaveOneOut(errors, np.ones(len(errors)), result.y))

    def rows(self, index: object) -> "CalibratedScoring":
        return replace(self, targets=self.targets.take(index), inner=self.inner.rows(index))


def scoring_after(calibration: str, scoring: Any, targets: Rows, classes: Any) -> Scoring:
    """What chooses alpha, the calibration counted in where it moves decisions.

    Without a rule of the caller's that is accuracy, and log-loss under a per-class
    calibration: its accuracies along alpha are as good as level, and their peak wanders.
    """
    if calibration != "vector":
        return make_scoring(scoring, targets, classes)
    inner = make_scoring("neg_log_loss" if scoring is None else scoring, targets, classes)
    return CalibratedScoring(targets, inner)
