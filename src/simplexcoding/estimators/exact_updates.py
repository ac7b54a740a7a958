"""Folds, rows added and rows forgotten, exactly, after the fit of a ridge model."""

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from simplexcoding.arrays import Floats
from simplexcoding.estimators.classifier import TrainingSet
from simplexcoding.estimators.memory import can_update
from simplexcoding.estimators.training_rows import row_numbers
from simplexcoding.solvers.ridge import RidgeProblem


class ExactUpdates(BaseEstimator):
    """What a ridge model offers from the training rows it remembers.

    The estimator fits with `_learn`, splits with `_folds` and keeps a `_memory`.
    """

    @available_if(lambda self: hasattr(self, "_memory"))
    def cross_val_scores(self, cv: Any, groups: Any = None) -> Floats:
        """Scores of every training row by the model fitted without its fold, at `alpha_`.

        By the exact formula on one factorisation, whatever the folds; alpha is held at its
        full-data value. Kept in memory only: a model read from a file has not got it.

        Parameters
        ----------
        cv : int, splitter or iterable of splits
        groups : (n,) array, default=None
            Handed to the splitter.

        Returns
        -------
        (n, T) array; a row of several folds has the mean of its scores, one of no fold NaN
        """
        rows, factor = self._memory.rows, self._memory.factor()
        folds = self._folds(cv, rows, groups)
        if folds is None:
            raise ValueError("cv must be an integer, a splitter or splits, got None.")
        return factor.spectrum.leave_out(folds, self.alpha_).scores()

    @available_if(lambda self: hasattr(self, "_memory"))
    def left_out_scores(self, alpha: float) -> Floats:
        """`loo_scores_` as they would be at another alpha, on one factorisation.

        Kept in memory only: a model read from a file has not got it.

        Parameters
        ----------
        alpha : float

        Returns
        -------
        (n, T) array, of the training rows whose weight is not zero
        """
        if not 0 < alpha < np.inf:
            raise ValueError(f"alpha must be a positive number, got {alpha!r}.")
        return self._memory.factor().spectrum.leave_one_out(float(alpha)).scores()

    @available_if(can_update)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Add rows, exactly: the model becomes that of a fit on all rows so far.

        The moments of the features are updated, in O(m p^2) for m new rows; the choice of
        alpha, the left-out scores and the calibration are made anew from them. Kernel and
        landmarks stay. New classes are welcome. The model keeps its training rows in memory.

        Parameters
        ----------
        X : (m, p) array
        y : (m,) array of labels
        classes : ignored
            For compatibility: labels may come at any time.
        sample_weight : (m,) array, default=None

        Returns
        -------
        self
        """
        self._validate_params()
        if hasattr(self, "_knowledge"):
            return self._update_rows(X, y, sample_weight, adds=True)
        if not hasattr(self, "_memory"):
            return self.fit(X, y, sample_weight)
        X, labels = validate_data(
            self, X, y, accept_sparse=self._sparse, dtype=self._memory.rows.X.dtype, reset=False
        )
        check_classification_targets(labels)
        if issparse(X) != issparse(self._memory.rows.X):
            raise TypeError("X must be sparse if the rows before it were, and dense if not.")
        weights = None if sample_weight is None else self._sample_weights(X, sample_weight)
        if weights is not None and not weights.all():
            X, labels, weights = X[weights > 0], labels[weights > 0], weights[weights > 0]
        weights = self._with_class_weights(labels, weights)
        return self._update(*self._memory.joined(X, labels, weights))

    @available_if(
        lambda self: can_update(self) and (hasattr(self, "_memory") or hasattr(self, "_knowledge"))
    )
    def forget(self, indices: Any, labels: Any = None, sample_weight: Any = None) -> Self:
        """Remove training rows, exactly: the model becomes that of a fit without them.

        Parameters
        ----------
        indices : array of row numbers, as in `loo_scores_`
            A landmark cannot be forgotten: its values are part of the model. After
            `fit_blocks`, which holds no rows, the rows (m, p) themselves.
        labels : (m,) array, default=None
            Labels of those rows, after `fit_blocks`.
        sample_weight : (m,) array, default=None
            Weights that those rows had, after `fit_blocks`.

        Returns
        -------
        self
        """
        if hasattr(self, "_knowledge"):
            return self._update_rows(indices, labels, sample_weight, adds=False)
        numbers_ = row_numbers(indices, len(self.loo_scores_))
        kept = self._memory.rows.kept
        if kept is not None:
            numbers_ = (np.cumsum(kept) - 1)[numbers_[kept[numbers_]]]
        return self._update(*self._memory.without(numbers_))

    def _update(self, rows: TrainingSet, problem: RidgeProblem) -> Self:
        folds = self._folds(self.cv, rows)
        self.loo_scores_ = self._learn(
            rows, [problem.kernel], problem.landmarks, folds, problem.moments
        )
        return self

    def __getstate__(self) -> Any:
        # Files of a model hold no training rows beyond those that it predicts with.
        state = dict(super().__getstate__())
        state.pop("_memory", None)
        state.pop("_knowledge", None)
        return state
