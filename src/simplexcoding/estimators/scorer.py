"""scikit-learn's scorers on left-out scores."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from simplexcoding.arrays import Floats
from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.probabilities import regression_probabilities
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import SCORINGS, Scoring


class LeftOut(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose every answer is about the rows it left out."""

    def __init__(self, classes: Any, scores: Floats) -> None:
        self.classes = classes
        self.scores = scores
        self.classes_ = classes

    def fit(self, X: Any, y: Any) -> "LeftOut":
        """Nothing to do: the scores are given."""
        return self

    def decision_function(self, X: Any) -> Floats:
        """The given scores, whatever X is."""
        return self.scores[:, 1] if len(self.classes) == 2 else self.scores

    def predict(self, X: Any) -> Any:
        """The classes of the given scores."""
        return self.classes[self.scores.argmax(axis=1)]

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the given scores."""
        return regression_probabilities(self.scores)


@dataclass(frozen=True)
class ScorerScoring(Scoring):
    """A scikit-learn scorer as a scoring of left-out predictions."""

    scorer: Any
    classes: Any

    def of_result(self, result: LeaveOneOut) -> float:
        view = LeftOut(self.classes, result.scores())
        rows = np.arange(len(result.y))[:, None]
        weights = self.targets.weights
        options = {} if weights is None else {"sample_weight": weights}
        return float(self.scorer(view, rows, self.classes[result.y], **options))

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
