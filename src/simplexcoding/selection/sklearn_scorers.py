"""scikit-learn's scorers on left-out scores."""

from dataclasses import dataclass
from inspect import Parameter, signature
from numbers import Real
from typing import Any

import numpy as np
from sklearn.utils import ClassifierTags, Tags, TargetTags

from simplexcoding.arrays import Floats
from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.probabilities import regression_probabilities
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import SCORINGS, Scoring


class LeftOut:
    """A fitted classifier whose every answer is about the rows it left out."""

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
