"""Fits and predictions on arrays of other libraries, by scikit-learn's array API dispatch."""

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import validate_data

from simplexcoding.arrays import Bools, Floats
from simplexcoding.design import Folds
from simplexcoding.devices import Home, as_numpy, on_host
from simplexcoding.estimators.abilities.calibrated import CalibratedClassifier
from simplexcoding.kernels import OF_PRODUCTS, Kernel, distinct_sample
from simplexcoding.rows import Training
from simplexcoding.selection.history import History
from simplexcoding.selection.splits import Splits
from simplexcoding.solvers.device_ridge import DeviceProblem
from simplexcoding.solvers.ridge import RidgeProblem

# Landmarks of a kernel on tensors where their number is not given.
_LANDMARKS = 2000


class _Shown:
    """A fitted array that is kept as NumPy's and shown as the rows', or labels', own kind."""

    def __init__(self, of_labels: bool = False) -> None:
        self._of_labels = of_labels

    def __set_name__(self, owner: Any, name: str) -> None:
        self._name = name

    def __get__(self, model: Any, owner: Any = None) -> Any:
        if model is None:
            return self
        if self._name not in vars(model):
            raise AttributeError(f"this {type(model).__name__} has no {self._name}: call fit first")
        values = vars(model)[self._name]
        home = model._labels_home if self._of_labels else model._home()
        if home is None or values is None:
            return values
        # Scores are in the precision of the rows, whatever was added up on the host.
        scores = values.dtype.kind == "f" and not self._of_labels
        return home.bring(values, model.function_.intercept.dtype if scores else None)

    def __set__(self, model: Any, values: Any) -> None:
        vars(model)[self._name] = values


class OnDevice(CalibratedClassifier):
    """What a ridge model does with tensors where they live.

    Products with the rows run there. Its attributes are arrays of the rows' own kind, and
    `classes_` of the labels', as scikit-learn's estimators have it; the path is NumPy's.
    """

    classes_: Any = _Shown(of_labels=True)
    loo_scores_: Any = _Shown()
    landmark_indices_: Any = _Shown()
    _labels_home: Home | None = None
    _history: History | None
    kernel: Any
    landmarks: Any
    cv: Any
    fit_intercept: bool

    @abstractmethod
    def _chosen_kernels(
        self, training: Training, folds: Folds | None, seed: int
    ) -> tuple[list[Kernel], float | None]:
        """The kernels to try, and an alpha near the best where one is known."""

    @abstractmethod
    def _learn(self, training: Training, problems: Sequence[RidgeProblem], splits: Splits) -> Self:
        """Choose, solve, calibrate and keep."""

    def _fit_on_device(self, X: Any, y: Any, sample_weight: Any, groups: Any, home: Home) -> Self:
        self._check_on_device()
        X = home.floats(X)
        host = home.to_host(X)
        labels_home = Home.of(y)
        y, sample_weight = as_numpy(y), as_numpy(sample_weight)
        training = self._training(host, y, sample_weight)
        if training.kept is not None:
            X = home.xp.take(X, home.bring(training.numbers), axis=0)
        rows, splits = training.rows, Splits.of(self.cv, training, groups)
        seed = self._seed()
        kernels, _ = self._chosen_kernels(training, splits.folds(training), seed)
        landmarks = None
        if not kernels[0].linear:
            size = _LANDMARKS if self.landmarks == "auto" else int(self.landmarks)
            landmarks = distinct_sample(rows.X, min(size, len(rows)), seed)
        problems = [
            DeviceProblem(X, kernel, rows.bare, self.fit_intercept, landmarks, None, home)
            for kernel in kernels
        ]
        self._learn(training, problems, splits)
        self._history = None  # Its rows are elsewhere, and are not kept.
        self._labels_home = labels_home
        return self

    def _as_of_host(self) -> Self:
        """The model of the same values in NumPy arrays: this one where they are that."""
        if self._home() is None:
            return self
        twin = copy(self)
        twin.function_ = on_host(self.function_)
        twin._forget_tensors()
        return twin

    def _forget_tensors(self) -> None:
        self.__dict__.pop("_labels_home", None)

    def _check_on_device(self) -> None:
        if not isinstance(self.kernel, str) or self.kernel not in ("auto", *OF_PRODUCTS):
            raise ValueError(
                f"kernel={self.kernel!r} is not computed on tensors; give one of auto, "
                f"{', '.join(OF_PRODUCTS)}, or X as a NumPy array."
            )
        if self.landmarks is None and not Kernel(self.kernel).linear:
            raise ValueError(
                "landmarks=None keeps the whole kernel, which is not computed on tensors; "
                "give their number, such as landmarks=1000."
            )

    def _checked_rows(self, X: Any) -> Any:
        home, own = Home.of(X), self._home()
        if own is None or isinstance(X, np.ndarray):
            return super()._checked_rows(X)
        if home != own:
            raise ValueError(
                f"X must live where the model was fitted, {own.xp.__name__} on {own.device}; "
                "bring it there, or fit a model on NumPy arrays."
            )
        return validate_data(self, home.floats(X), dtype=None, reset=False)

    def _home(self) -> Home | None:
        return getattr(self._known("function_"), "home", None)

    def _brought(self, values: Any, X: Any) -> Any:
        """Values on the host as X's own kind of array."""
        home = self._home()
        return values if home is None or isinstance(X, np.ndarray) else home.bring(values)

    def decision_function(self, X: Any) -> Floats:
        return self._brought(super().decision_function(X), X)

    def predict(self, X: Any) -> Any:
        return self._brought(super().predict(X), X)

    def predict_proba(self, X: Any) -> Floats:
        return self._brought(super().predict_proba(X), X)

    def predict_set(self, X: Any, coverage: float = 0.9, class_conditional: bool = False) -> Bools:
        return self._brought(super().predict_set(X, coverage, class_conditional), X)
