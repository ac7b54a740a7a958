"""Folds, rows added and rows forgotten, exactly, after the fit of a ridge model."""

from abc import abstractmethod
from copy import deepcopy
from numbers import Real
from typing import Any, Self

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from simplexcoding.arrays import Floats
from simplexcoding.estimators.abilities.calibrated import CalibratedClassifier
from simplexcoding.functions import LinearFunction
from simplexcoding.kernels import Kernel
from simplexcoding.passes.knowledge import Knowledge
from simplexcoding.rows import Training
from simplexcoding.selection.history import History, row_numbers
from simplexcoding.selection.splits import Splits


def can_update(model: Any) -> bool:
    """Whether rows may be added and removed; an AttributeError says why not."""
    if isinstance(model.class_weight, str):
        raise AttributeError('class_weight="balanced" changes with every row: give a dict.')
    if hasattr(model, "function_"):
        finite = isinstance(model.function_, LinearFunction) or bool(model.n_landmarks_)
    else:
        finite = Kernel(model.kernel).linear or not (
            model.landmarks is None or isinstance(model.landmarks, str)
        )
    if not finite or Kernel(model.kernel).precomputed:
        raise AttributeError(
            "a kernel without landmarks has no finite features: set landmarks to a number."
        )
    return True


def remembers_rows(model: Any) -> bool:
    """Whether the training rows are in memory; an AttributeError says why not."""
    if model._history is None:
        raise AttributeError("the model holds no training rows: fit it in this process.")
    return True


class ExactUpdates(CalibratedClassifier):
    """What a ridge model offers from the training rows it remembers.

    `_history` holds them after `fit`, `_knowledge` their sums after `fit_blocks`; a model that
    was read from a file, or fitted to tensors, has neither.
    """

    _history: History | None = None
    _knowledge: Knowledge | None = None
    alpha_: float
    loo_scores_: Floats

    # An attribute of other models, which assign it; here it is another name, and read-only.
    @property
    def left_out_scores_(self) -> Floats:  # type: ignore[override]
        """`loo_scores_`, by the name that every model with left-out scores has for them."""
        return self.loo_scores_

    def _left_out_scores(self) -> Floats:
        return self._known("loo_scores_")

    @abstractmethod
    def _fit(self, training: Training, groups: Any = None) -> Self:
        """Fit to rows, and remember them."""

    @abstractmethod
    def _learn_from(self, history: History) -> Self:
        """Fit to rows whose kernel and landmarks are settled, and remember them."""

    @abstractmethod
    def _update_rows(self, X: Any, labels: Any, sample_weight: Any, adds: bool) -> Self:
        """Add rows to a model fitted from blocks, or remove them."""

    @available_if(remembers_rows)
    def cross_val_scores(self, cv: Any, groups: Any = None) -> Floats:
        """Scores of every training row by the model fitted without its fold, at `alpha_`.

        By the exact formula on one factorisation, whatever the folds; alpha is held at its
        full-data value. Kept in memory only: a model read from a file has not got it.

        Parameters
        ----------
        cv : int, splitter or iterable of splits
            The folds; a number is that of stratified folds.
        groups : (n,) array, default=None
            Handed to the splitter.

        Returns
        -------
        (n, T) array, rows as in `loo_scores_`
            A row of several folds has the mean of its scores, one of no fold NaN, one of
            weight zero those of the fit.
        """
        if cv is None:
            raise ValueError("cv must be an integer, a splitter or splits, got None.")
        history = self._remembered()
        folds = Splits.of(cv, history.training, groups).folds(history.training)
        return history.scores(self.alpha_, folds)

    @available_if(remembers_rows)
    def left_out_scores(self, alpha: float) -> Floats:
        """`loo_scores_` as they would be at another alpha, on one factorisation.

        Single rows are left out, whatever `cv` is. Kept in memory only: a model read from a
        file has not got it.

        Parameters
        ----------
        alpha : float
            The regularisation to ask about, positive.

        Returns
        -------
        (n, T) array, rows as in `loo_scores_`
        """
        if not isinstance(alpha, Real) or not 0 < alpha < np.inf:
            raise ValueError(f"alpha must be a positive number, got {alpha!r}.")
        return self._remembered().scores(float(alpha))

    @available_if(can_update)
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, groups: Any = None
    ) -> Self:
        """Add rows, exactly: the model becomes that of a fit on all rows so far.

        The moments of the features are updated, in O(m p^2) for m new rows; the choice of
        alpha, the left-out scores and the calibration are made anew from them. Kernel and
        landmarks stay. New classes are welcome. The model keeps its training rows in memory.

        Parameters
        ----------
        X : (m, p) array
            New rows, with the features of those so far.
        y : (m,) array of labels
            Theirs, of classes known or new.
        classes : ignored, default=None
            For compatibility: labels may come at any time.
        sample_weight : (m,) array, default=None
            As in `fit`.
        groups : (m,) array, default=None
            As in `fit`. Where `cv` is a list of splits the new rows are in none of them.

        Returns
        -------
        self
        """
        self._validate_params()
        self._refuse_collections(X, y, sample_weight)
        if self._knowledge is not None:
            return self._update_rows(X, y, sample_weight, adds=True)
        if not hasattr(self, "function_"):
            return self._fit(self._training(X, y, sample_weight, part=True), groups)
        history = self._remembered()
        batch = self._training(X, y, sample_weight, before=history.training)
        return self._learn_from(history.joined(batch, groups))

    @available_if(can_update)
    def forget(self, indices: Any, labels: Any = None, sample_weight: Any = None) -> Self:
        """Remove training rows, exactly: the model becomes that of a fit without them.

        Parameters
        ----------
        indices : array of row numbers, as in `loo_scores_`
            None at all changes nothing. A landmark cannot be forgotten: its values are part
            of the model. After `fit_blocks`, which holds no rows, the rows (m, p) themselves.
        labels : (m,) array, default=None
            Labels of those rows, after `fit_blocks`.
        sample_weight : (m,) array, default=None
            Weights that those rows had, after `fit_blocks`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        self._refuse_collections(indices, labels, sample_weight)
        if self._knowledge is not None:
            return self._update_rows(indices, labels, sample_weight, adds=False)
        history = self._remembered()
        numbers = history.training.places(row_numbers(indices, len(self.loo_scores_)))
        if not len(numbers):
            return self
        return self._learn_from(history.without(numbers))

    def _remembered(self) -> History:
        if self._history is None:
            raise ValueError(
                f"this {type(self).__name__} was read from a file or fitted to tensors, and holds "
                "no training rows, so rows cannot be added or removed: fit it again on all rows "
                "as NumPy arrays; copy.deepcopy keeps them."
            )
        return self._history

    def __getstate__(self) -> Any:
        # Files of a model hold no training rows beyond those that it predicts with.
        state = dict(super().__getstate__())
        state.pop("_history", None)
        state.pop("_knowledge", None)
        return state

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # A copy in memory is no file: it keeps the training rows.
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(deepcopy(self.__dict__, memo))
        return twin
