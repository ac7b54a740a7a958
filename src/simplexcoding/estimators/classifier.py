"""What every simplex classifier shares: labels in, scores out, the largest score wins."""

from numbers import Real
from typing import Any, get_args

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import InvalidParameterError
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from simplexcoding.arrays import Bools, Floats, Indices, are_words, check_real, is_dask, shown
from simplexcoding.dask.lazy import lazy
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.rows import Rows, Training, check_weights, row_weights

DTYPES = (np.float64, np.float32)


class SimplexClassifier(ClassifierMixin, BaseEstimator):
    """Base of the estimators: validation before the fit, decisions after it.

    A subclass has `class_weight` and `random_state`, says in `_sparse` which sparse formats it
    takes and in `_finite` whether values may be missing ("allow-nan"), and sets `classes_` and
    `function_` in its fit. Scores, coefficients and the fold to one row of coefficients for two
    classes follow from the function.
    """

    _sparse: Any = False
    _finite: Any = True
    class_weight: Any
    random_state: Any
    classes_: Any
    function_: Function

    def _raw_scores(self, X: Any) -> Floats:
        """Scores of validated rows by the function, (n, T)."""
        return self.function_.scores(X)

    def _scores(self, X: Any) -> Floats:
        """Scores of validated rows that decide, (n, T)."""
        return self._raw_scores(X)

    @property
    def coef_(self) -> Floats:
        """Weights of the features, (T, p), (1, p) for two classes; linear functions only."""
        return self._folded(self._of_function("coef_", LinearFunction).weights).T

    @property
    def dual_coef_(self) -> Floats:
        """Weights of the kernel values of `X_fit_`, (m, T), (m, 1) for two classes."""
        return self._folded(self._of_function("dual_coef_", KernelExpansion).weights)

    @property
    def intercept_(self) -> Floats:
        """Scores at zero features or kernel values, (T,), (1,) for two classes."""
        function = self._of_function("intercept_", LinearFunction | KernelExpansion)
        return self._folded(function.intercept)

    @property
    def X_fit_(self) -> Any:
        """Rows whose kernel values `dual_coef_` weighs; kernels of features only."""
        function = self._of_function("X_fit_", KernelExpansion)
        if function.kernel.precomputed:
            raise AttributeError("a precomputed kernel keeps no rows; see function_.basis.")
        return function.basis

    @property
    def best_score_(self) -> float:
        """Score of the choice on `path_`, by rows that were left or held out."""
        path = self._known("path_")
        if path is None:
            raise AttributeError(f"this {type(self).__name__} had nothing to choose on a path.")
        return path.best_score

    @property
    def _score_name(self) -> str:
        """What `best_score_` and the scores of `path_` measure, by scikit-learn's names."""
        return "accuracy"

    def _of_function(self, name: str, kind: Any) -> Any:
        function = self._known("function_")
        if not isinstance(function, kind):
            reason = "call fit first"
            if function is not None:
                owners = " or ".join(each.__name__ for each in get_args(kind) or (kind,))
                reason = f"{owners} has it, and function_ is a {type(function).__name__}"
            raise AttributeError(f"this {type(self).__name__} has no {name}: {reason}.")
        return function

    def _seed(self) -> int:
        """A seed by `random_state`: drawn anew at each call where that is a generator or None."""
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _known(self, name: str) -> Any:
        """A fitted attribute as it is kept; None before the fit, where the name itself raises."""
        return vars(self).get(name)

    def _folded(self, columns: Floats) -> Floats:
        """Columns of the classes; for two, that of `classes_[1]`: the other is its negative."""
        return columns[..., 1:] if columns.shape[-1] == 2 else columns

    def _training(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        before: Training | None = None,
        part: bool = False,
    ) -> Training:
        """Validate X, y and weights; rows of weight zero are as if absent.

        Where they are a part of the rows to come, a dict of class weights may name classes
        that they lack. `before` are the rows so far: these have the same features and the
        same kind of labels, perhaps of one class only.
        """
        self._refuse_collections(X, y, sample_weight)
        check_one_kind(y)
        check_real(X)
        dtype = DTYPES if before is None else before.rows.X.dtype
        X, y = validate_data(
            self,
            X,
            y,
            accept_sparse=self._sparse,
            dtype=dtype,
            ensure_all_finite=self._finite,
            reset=before is None,
        )
        self._check_square(X)
        check_classification_targets(y)
        weights = None if sample_weight is None else self._sample_weights(X, sample_weight)
        kept, others = None, None
        if weights is not None and not weights.all():
            kept = weights > 0
            others = X[~kept]
            X, y, weights = self._keep(X, kept), y[kept], weights[kept]
        classes, index = np.unique(y, return_inverse=True)
        if before is not None:
            check_same_kind(X, classes, before)
        elif len(classes) < 2:
            raise ValueError(f"y must hold at least two classes, got one class: {classes[0]}.")
        weights = self._with_class_weights(y, weights, part or before is not None)
        pairwise = self.__sklearn_tags__().input_tags.pairwise
        index = index.astype(np.intp, copy=False)
        return Training(Rows(X, index, len(classes), weights, pairwise), classes, kept, others)

    def _validate_params(self) -> None:
        """Check the parameters as declared; the message has one line, whatever the value."""
        try:
            super()._validate_params()
        except InvalidParameterError as error:
            said, _, _ = str(error).partition(". Got ")
            value = getattr(self, said.split("'")[1])
            raise InvalidParameterError(f"{said}. Got {shown(value)} instead.") from None

    def _refuse_collections(self, *collections: Any) -> None:
        """Dask collections would be computed whole, in this process."""
        if any(is_dask(values) for values in collections):
            raise TypeError(
                f"this method of {type(self).__name__} takes no Dask collections, only "
                "SimplexRidgeClassifier.fit and predictions do; use X.compute() if it fits."
            )

    def _check_square(self, X: Any) -> None:
        """Rows of a precomputed kernel have a column each."""
        if self.__sklearn_tags__().input_tags.pairwise and X.shape[0] != X.shape[1]:
            raise ValueError(
                f'X must be square when kernel="precomputed", got shape {X.shape}; '
                "give the kernel values between the training rows."
            )

    def _sample_weights(self, X: Any, sample_weight: Any) -> Floats:
        try:
            np.asarray(sample_weight, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(
                f"sample_weight must hold numbers, got {shown(sample_weight)}; give one per row."
            ) from None
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

    def _with_class_weights(
        self, y: Any, weights: Floats | None, part: bool = False
    ) -> Floats | None:
        """Sample weights times class weights; None where all are one."""
        if self.class_weight is None:
            return weights if weights is None else check_weights(weights)
        weights = row_weights(weights, len(y))
        # Classes that are in the dict and not yet in y follow those that are.
        named = np.array(list(self.class_weight)) if part else y[:0]
        classes = np.unique(y)
        classes = np.concatenate([classes, np.setdiff1d(named, classes)]) if part else classes
        index = np.searchsorted(np.unique(y), y)
        return check_weights(weights * self._class_weights(classes, index, weights)[index])

    def _class_weights(self, classes: Any, index: Indices, weights: Floats) -> Floats:
        """Weight of each class, (T,)."""
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            # From weighted counts, so that integer weights equal repeated rows.
            return weights.sum() / (len(classes) * np.bincount(index, weights))
        if not all(isinstance(weight, Real) for weight in self.class_weight.values()):
            raise ValueError(
                f"class_weight must hold positive numbers, got {shown(self.class_weight)}."
            )
        per_class = compute_class_weight(self.class_weight, classes=classes, y=classes)
        if not np.all(per_class > 0):
            raise ValueError(f"class_weight must be positive, got {per_class.min():g}.")
        return np.asarray(per_class, dtype=np.float64)

    @lazy
    def decision_function(self, X: Any) -> Floats:
        """Scores of each class.

        Parameters
        ----------
        X : (n, p) array
            Rows with the features of those of `fit`.

        Returns
        -------
        (n, T) array, rows summing to zero; for two classes the (n,) scores of `classes_[1]`.
        """
        scores = self._checked_scores(X)
        return scores[:, 1] if scores.shape[1] == 2 else scores

    @lazy
    def predict(self, X: Any) -> Any:
        """Class with the largest score, the first of `classes_` at ties.

        Parameters
        ----------
        X : (n, p) array
            Rows with the features of those of `fit`.

        Returns
        -------
        (n,) array of labels
        """
        best = self._checked_scores(X).argmax(axis=1)
        return self._known("classes_")[best]

    def _checked_scores(self, X: Any) -> Floats:
        return check_scores(self._scores(self._checked_rows(X)))

    def _checked_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        self._refuse_collections(X)
        check_real(X)
        return validate_data(
            self,
            X,
            accept_sparse=self._sparse,
            dtype=DTYPES,
            ensure_all_finite=self._finite,
            reset=False,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse)
        tags.input_tags.allow_nan = self._finite == "allow-nan"
        return tags


def check_scores(scores: Floats) -> Floats:
    """Scores that are finite, and no others: NaN would decide for the first class."""
    if not np.isfinite(scores).all():
        raise ValueError(
            "X holds rows whose scores overflow: they are larger by far than those of fit; "
            "scale them as those were."
        )
    return scores


def check_one_kind(y: Any) -> None:
    """Labels are all strings or none is: numpy would turn numbers into strings by itself."""
    if not isinstance(y, list | tuple) and getattr(y, "dtype", None) is not np.dtype(object):
        return
    kinds = {isinstance(label, str) for label in np.ravel(np.asarray(y, dtype=object))}
    if len(kinds) > 1:
        raise ValueError("y must hold labels of one kind, got strings and others; convert them.")


def check_same_kind(X: Any, labels: Any, before: Training) -> None:
    """Rows that come on top of others are as sparse as they, and labelled in kind."""
    if issparse(X) != issparse(before.rows.X):
        raise TypeError("X must be sparse if the rows before it were, and dense if not.")
    known = before.classes
    if are_words(labels) != are_words(known):
        raise ValueError(
            f"y must hold labels of the kind that the model knows, such as '{known[0]}', "
            f"got '{labels[0]}'."
        )
