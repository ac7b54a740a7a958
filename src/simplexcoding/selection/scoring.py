"""How good left-out predictions are: one number for each alpha, larger is better.

By hits and squared errors, by log-loss, by a scorer of scikit-learn, or by any of them after a
calibration that the other rows fitted.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from inspect import Parameter, signature
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import ClassifierTags, Tags, TargetTags

from simplexcoding.arrays import Floats, centred
from simplexcoding.design import LeaveOneOut, Scan
from simplexcoding.inference.calibration import regression_probabilities
from simplexcoding.inference.temperature import fit_temperature, log_loss
from simplexcoding.inference.vector_scaling import WarmFits, left_out_logits
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
    by_scan: ClassVar[bool] = False
    """Whether hits and squared errors alone decide, so that `of_scan` and `of_sums` answer."""
    by_hits: ClassVar[bool] = False
    """Whether hits alone decide."""
    noisy: ClassVar[bool] = False
    """Whether few rows decide between neighbours, so that a log-loss says better where to ask."""

    @abstractmethod
    def of_result(self, result: LeaveOneOut) -> float:
        """Score of left-out predictions at one alpha."""

    # These two are for rules that `by_hits` marks; a rule of another kind needs the predictions.
    def of_scan(self, scan: Scan) -> Floats:
        """Scores at every alpha of a scan, (k,)."""
        raise NotImplementedError(f"{type(self).__name__} is not decided by hits.")

    def of_sums(self, hits: Floats, squared: Floats, totals: Floats) -> Floats:
        """Scores (k,) from weights of right rows by class (k, T), errors (k,) and all rows (T,)."""
        raise NotImplementedError(f"{type(self).__name__} is not decided by hits.")

    def rows(self, index: object) -> "Scoring":
        """The same score on some of the rows."""
        return type(self)(self.targets.take(index))

    def followed(self) -> WarmFits | None:
        """Where the calibrations that it fitted have come to, None where it fits none."""
        return None


class ScanScoring(Scoring):
    """A score that hits and squared errors alone decide."""

    by_scan = True

    @abstractmethod
    def of_scan(self, scan: Scan) -> Floats:
        """Scores at every alpha of a scan, (k,)."""

    @abstractmethod
    def of_sums(self, hits: Floats, squared: Floats, totals: Floats) -> Floats:
        """Scores (k,) from weights of right rows by class (k, T), errors (k,) and all rows (T,)."""

    def of_result(self, result: LeaveOneOut) -> float:
        correct = result.predictions() == result.y
        error = np.average(result.squared_errors(), weights=self.targets.weights)
        return float(self.of_scan(Scan(correct[None], np.array([error])))[0])


class Accuracy(ScanScoring):
    """Share of rows predicted rightly."""

    name: ClassVar[str] = "accuracy"
    by_hits = noisy = True

    def of_scan(self, scan: Scan) -> Floats:
        return np.average(scan.correct, axis=1, weights=self.targets.weights)

    def of_sums(self, hits: Floats, squared: Floats, totals: Floats) -> Floats:
        return hits.sum(axis=1) / totals.sum()


class BalancedAccuracy(ScanScoring):
    """Mean over the classes of the share of rows predicted rightly."""

    name: ClassVar[str] = "balanced_accuracy"
    by_hits = True

    def of_scan(self, scan: Scan) -> Floats:
        totals = self.targets.class_totals
        share = self.targets.counts / totals[self.targets.y]
        return scan.correct @ (share / np.count_nonzero(totals))

    def of_sums(self, hits: Floats, squared: Floats, totals: Floats) -> Floats:
        return np.asarray((hits / totals).mean(axis=1))


class NegMeanSquaredError(ScanScoring):
    """Minus the mean squared distance to the vertex."""

    name: ClassVar[str] = "neg_mean_squared_error"

    def of_scan(self, scan: Scan) -> Floats:
        return -scan.squared_error

    def of_sums(self, hits: Floats, squared: Floats, totals: Floats) -> Floats:
        return -squared / totals.sum()


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


class LeftOut:
    """A fitted classifier whose every answer is about the rows it left out.

    Parameters
    ----------
    classes : (T,) array of labels
    scores : (n, T) array of left-out scores
    """

    def __init__(self, classes: Any, scores: Floats) -> None:
        self.classes_ = classes
        self.scores = scores

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Tags:
        return Tags("classifier", TargetTags(required=True), classifier_tags=ClassifierTags())

    def fit(self, X: Any, y: Any) -> "LeftOut":
        """Nothing to do: the scores are given."""
        return self

    def decision_function(self, X: Any) -> Floats:
        """The given scores, whatever X is."""
        return self.scores[:, 1] if len(self.classes_) == 2 else self.scores

    def predict(self, X: Any) -> Any:
        """The classes of the given scores."""
        return self.classes_[self.scores.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the given scores."""
        return regression_probabilities(self.scores)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows that are right, as of any classifier."""
        return float(np.average(self.predict(X) == y, weights=sample_weight))


@dataclass(frozen=True)
class ScorerScoring(Scoring):
    """A scikit-learn scorer as a scoring of left-out predictions.

    Weights count where the scorer, or the metric that it is made of, takes `sample_weight`.

    Parameters
    ----------
    scorer : callable(estimator, X, y)
    classes : (T,) array of labels
    """

    scorer: Any
    classes: Any

    def of_result(self, result: LeaveOneOut) -> float:
        view = LeftOut(self.classes, result.scores())
        rows = np.arange(len(result.y))[:, None]
        options = {}
        if self.targets.weights is not None and _takes_weights(self.scorer):
            options["sample_weight"] = self.targets.weights
        score = self.scorer(view, rows, self.classes[result.y], **options)
        if not isinstance(score, Real) or np.isnan(float(score)):
            raise ValueError(f"scoring must return a number for left-out rows, got {score!r}.")
        return float(score)

    def rows(self, index: object) -> "ScorerScoring":
        return ScorerScoring(self.targets.take(index), self.scorer, self.classes)


def make_scoring(scoring: Any, targets: Rows, classes: Any) -> Scoring:
    """Scoring of that name, or a scikit-learn scorer wrapped."""
    scoring = "accuracy" if scoring is None else scoring
    if isinstance(scoring, str) and scoring in SCORINGS:
        return SCORINGS[scoring](targets)
    if not isinstance(scoring, str) and not callable(scoring):
        raise ValueError(
            f"scoring must be the name of a scorer or a callable(estimator, X, y), got {scoring!r}."
        )
    from sklearn.metrics import get_scorer  # Slow to import, and seldom needed.

    return ScorerScoring(targets, get_scorer(scoring), classes)


def _takes_weights(scorer: Any) -> bool:
    metric = getattr(scorer, "_score_func", scorer)
    parameters = signature(metric).parameters
    return "sample_weight" in parameters or any(
        parameter.kind is Parameter.VAR_KEYWORD for parameter in parameters.values()
    )


@dataclass(frozen=True)
class CalibratedScoring(Scoring):
    """A scoring of decisions that a per-class calibration, fitted without their row, has moved.

    Without an `inner` scoring it is minus the log-loss of the calibrated probabilities.
    Each fit of the calibration begins at the one before it, on `trail`: along a path they
    are near.
    """

    inner: Scoring | None
    cheap: ClassVar[bool] = False
    trail: WarmFits = field(default_factory=WarmFits, repr=False, compare=False)

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

    def followed(self) -> WarmFits:
        return self.trail

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
