"""Scores of left-out predictions after a calibration by the other rows."""

from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from simplexcoding.arrays import centred
from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.temperature import log_loss
from simplexcoding.inference.vector_scaling import Trail, left_out_logits
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import Accuracy, NegLogLoss, Scoring
from simplexcoding.selection.sklearn_scorers import make_scoring


@dataclass(frozen=True)
class CalibratedScoring(Scoring):
    """A scoring of decisions that a per-class calibration, fitted without their row, has moved.

    Without an `inner` scoring it is minus the log-loss of the calibrated probabilities.
    Each fit of the calibration begins at the one before it, on `trail`: along a path they
    are near.
    """

    inner: Scoring | None
    cheap: ClassVar[bool] = False
    trail: Trail = field(default_factory=Trail, repr=False, compare=False)

    def of_result(self, result: LeaveOneOut) -> float:
        logits = left_out_logits(result.scores(), result.y, self.targets.weights, self.trail)
        if self.inner is None:
            return -log_loss(logits, result.y, self.targets.weights)
        decisions = centred(logits)
        n_classes = decisions.shape[1]
        # Predictions whose simplex scores are the decisions: errors Y - prediction, slack one.
        errors = decisions * (-(n_classes - 1) / n_classes)
        errors += self.targets.one_hot(errors.dtype)
        return self.inner.of_result(LeaveOneOut(errors, np.ones(len(errors)), result.y))

    def rows(self, index: object) -> "CalibratedScoring":
        inner = None if self.inner is None else self.inner.rows(index)
        return replace(self, targets=self.targets.take(index), inner=inner)


def scoring_after(calibration: str, scoring: Any, targets: Rows, classes: Any) -> Scoring:
    """What chooses alpha, the calibration counted in where it moves decisions.

    Without a rule of the caller's that is accuracy, and log-loss under a per-class
    calibration: its accuracies along alpha are as good as level, and their peak wanders.
    """
    if calibration != "vector":
        return make_scoring(scoring, targets, classes)
    by_log_loss = score_name(calibration, scoring) == NegLogLoss.name
    inner = None if by_log_loss else make_scoring(scoring, targets, classes)
    return CalibratedScoring(targets, inner)


def score_name(calibration: str, scoring: Any) -> str:
    """The name of what `scoring_after` chooses by; "score" for a scorer that has no name."""
    if scoring is None:
        return NegLogLoss.name if calibration == "vector" else Accuracy.name
    return scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score")
