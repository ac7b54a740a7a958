"""What every simplex classifier shares: labels in, scores out, the largest score wins."""

from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from simplexcoding.arrays import Bools, Floats, Indices

DTYPES = (np.float64, np.float32)


class TrainingSet(NamedTuple):
    """Validated rows of positive weight.

    weights are sample times class weights, None where all are one. kept marks the rows of
    the caller's X that are here, None for all.
    """

    X: Any
    y: Indices
    classes: Any
    weights: Floats | None
    kept: Bools | None

    @property
    def counts(self) -> Floats:
        """Weights as an array, ones where there are none."""
        return np.ones(len(self.y)) if self.weights is None else self.weights


class SimplexClassifier(ClassifierMixin, BaseEstimator):
    """Base of the estimators: validation before the fit, decisions after it.

    A subclass has `class_weight`, says in `_sparse` which sparse formats it takes, and
    gives the scores of new rows in `_scores`.
    """

    _sparse: Any = False

    @abstractmethod
    def _scores(self, X: Any) -> Floats:
        """Scores of validated rows, (n, T)."""

    def _training_set(self, X: Any, y: Any, sample_weight: Any = None) -> TrainingSet:
        """Validate X, y and weights; rows of weight zero are as if absent."""
        X, y = validate_data(self, X, y, accept_sparse=self._sparse, dtype=DTYPES)
        self._check_square(X)
        check_classification_targets(y)
        weights = None if sample_weight is None else self._sample_weights(X, sample_weight)
        kept = None
        if weights is not None and not weights.all():
            kept = weights > 0
            X, y, weights = self._keep(X, kept), y[kept], weights[kept]
        classes, index = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"y must hold at least two classes, got one class: {classes[0]}.")
        weights = self._with_class_weights(y, weights)
        return TrainingSet(X, index.astype(np.intp, copy=False), classes, weights, kept)

    def _check_square(self, X: Any) -> None:
        """Rows of a precomputed kernel have a column each."""
        if self.__sklearn_tags__().input_tags.pairwise and X.shape[0] != X.shape[1]:
            raise ValueError(
                f'X must be square when kernel="precomputed", got shape {X.shape}; '
                "give the kernel values between the training rows."
            )

    def _sample_weights(self, X: Any, sample_weight: Any) -> Floats:
        weights = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if np.any(weights < 0):
            raise ValueError(
                f"sample_weight must not be negative, got {weights.min():g}; "
                "give a row weight zero to leave it out."
            )
        if not np.any(weights):
            raise ValueError("sample_weight must not be zero for every row: no row is left.")
        return weights

    def _keep(self, X: Any, kept: Bools) -> Any:
        """Rows of X; both sides of a precomputed kernel."""
        return X[kept][:, kept] if self.__sklearn_tags__().input_tags.pairwise else X[kept]

    def _with_class_weights(self, y: Any, weights: Floats | None) -> Floats | None:
        """Sample weights times class weights; None where all are one."""
        if self.class_weight is None:
            return weights
        weights = np.ones(len(y)) if weights is None else weights
        classes, index = np.unique(y, return_inverse=True)
        return weights * self._class_weights(classes, index, weights)[index]

    def _class_weights(self, classes: Any, index: Indices, weights: Floats) -> Floats:
        """Weight of each class, (T,)."""
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            # From weighted counts, so that integer weights equal repeated rows.
            return weights.sum() / (len(classes) * np.bincount(index, weights))
        per_class = compute_class_weight(self.class_weight, classes=classes, y=classes)
        if not np.all(per_class > 0):
            raise ValueError(f"class_weight must be positive, got {per_class.min():g}.")
        return np.asarray(per_class, dtype=np.float64)

    def decision_function(self, X: Any) -> Floats:
        """Scores of each class.

        Parameters
        ----------
        X : (n, p) array

        Returns
        -------
        (n, T) array, rows summing to zero; for two classes the (n,) scores of `classes_[1]`.
        """
        scores = self._checked_scores(X)
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Any:
        """Class with the largest score, the first of `classes_` at ties.

        Parameters
        ----------
        X : (n, p) array

        Returns
        -------
        (n,) array of labels
        """
        best = self._checked_scores(X).argmax(axis=1)
        return self.classes_[best]

    def _checked_scores(self, X: Any) -> Floats:
        return self._scores(self._checked_rows(X))

    def _checked_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, accept_sparse=self._sparse, dtype=DTYPES, reset=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse)
        return tags
