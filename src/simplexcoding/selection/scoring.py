"""How good left-out predictions are: one number for each alpha, larger is better."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.design import LeaveOneOut, Scan
from simplexcoding.inference.temperature import fit_temperature, log_loss
from simplexcoding.rows import Rows


@dataclass(frozen=True)
class Scoring(ABC):
    """A score of left-out predictions.

    Parameters
    ----------
    targets : Rows
        Their weights count in the score too.
    """

    targets: Rows
    cheap: ClassVar[bool] = True
    """Whether scoring costs little next to a factorisation."""

    @abstractmethod
    def of_result(self, result: LeaveOneOut) -> float:
        """Score of left-out predictions at one alpha."""

    def rows(self, index: object) -> "Scoring":
        """The same score on some of the rows."""
        return type(self)(self.targets.take(index))


class ScanScoring(Scoring):
    """A score that hits and squared errors alone decide."""

    @abstractmethod
    def of_scan(self, scan: Scan) -> Floats:
        """Scores at every alpha of a scan, (k,)."""

    def of_result(self, result: LeaveOneOut) -> float:
        correct = result.predictions() == result.y
        error = np.average(result.squared_errors(), weights=self.targets.weights)
        return float(self.of_scan(Scan(correct[None], np.array([error])))[0])


class Accuracy(ScanScoring):
    """Share of rows predicted rightly."""

    name: ClassVar[str] = "accuracy"

    def of_scan(self, scan: Scan) -> Floats:
        return np.average(scan.correct, axis=1, weights=self.targets.weights)


class BalancedAccuracy(ScanScoring):
    """Mean over the classes of the share of rows predicted rightly."""

    name: ClassVar[str] = "balanced_accuracy"

    def of_scan(self, scan: Scan) -> Floats:
        totals = self.targets.class_totals
        share = self.targets.counts / totals[self.targets.y]
        return scan.correct @ (share / np.count_nonzero(totals))


class NegMeanSquaredError(ScanScoring):
    """Minus the mean squared distance to the vertex."""

    name: ClassVar[str] = "neg_mean_squared_error"

    def of_scan(self, scan: Scan) -> Floats:
        return -scan.squared_error


class NegLogLoss(Scoring):
    """Minus the log-loss of a softmax whose temperature is fitted to the same scores."""

    name: ClassVar[str] = "neg_log_loss"

    def of_result(self, result: LeaveOneOut) -> float:
        scores = result.scores()
        beta = fit_temperature(scores, result.y, self.targets.weights)
        return -log_loss(beta * scores, result.y, self.targets.weights)


SCORINGS: dict[str, type[Scoring]] = {
    scoring.name: scoring
    for scoring in (Accuracy, BalancedAccuracy, NegMeanSquaredError, NegLogLoss)
}
