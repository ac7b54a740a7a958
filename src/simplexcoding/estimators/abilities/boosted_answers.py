"""What a boosted model answers: probabilities, stages and importances."""

from collections.abc import Iterator
from typing import Any

from sklearn.utils.validation import check_is_fitted

from simplexcoding.arrays import Floats
from simplexcoding.dask.lazy import lazy
from simplexcoding.estimators.classifier import SimplexClassifier
from simplexcoding.functions import Ensemble
from simplexcoding.inference.calibration import Temperature
from simplexcoding.solvers.boosting import Categories


class BoostedClassifier(SimplexClassifier):
    """A sum of weak learners; a subclass fits it and sets what follows."""

    function_: Ensemble
    calibration_: Temperature
    _importances: Floats | None
    _categories: Categories

    @property
    def feature_importances_(self) -> Floats:
        """Shares of the fall of the risk, (p,)."""
        check_is_fitted(self)
        if self._importances is None:
            raise AttributeError("feature_importances_ needs an estimator that has them itself.")
        return self._importances

    @lazy
    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes for the rows X, (n, T).

        The softmax of the scores, for both losses are least, given x, at the centred logarithms
        of the class probabilities, at the temperature that fits rows held out.

        Parameters
        ----------
        X : (n, p) array or DataFrame
            Rows with the features of those of `fit`.

        Returns
        -------
        (n, T) array, rows summing to one
        """
        scores = self._checked_scores(X)
        return self.calibration_.probabilities(scores)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """Yield `decision_function` of the rows X, (n, T) or (n,), after each round."""
        for scores in self._staged_scores(X):
            yield scores[:, 1] if len(self.classes_) == 2 else scores

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """Yield `predict` of the rows X, (n,) labels, after each round."""
        for scores in self._staged_scores(X):
            yield self.classes_[scores.argmax(axis=1)]

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        yield from self.function_.staged_scores(self._checked_rows(X))

    def _checked_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        self._refuse_collections(X)
        return super()._checked_rows(self._categories.encode(X))
