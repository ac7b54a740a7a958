"""Fits and predictions on arrays of other libraries, by scikit-learn's array API dispatch."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from simplexcoding.arrays import Bools, Floats
from simplexcoding.devices import KERNELS, ExpansionOnDevice, Home, LinearOnDevice
from simplexcoding.kernels import Kernel, distinct_sample, gamma_values
from simplexcoding.selection.splits import Splits
from simplexcoding.solvers.device_ridge import DeviceProblem


class OnDevice(BaseEstimator):
    """What a ridge model does with tensors where they live.

    Products with the rows run there. Labels, left-out scores, `classes_` and the path are
    NumPy arrays; coefficients, and what is predicted, are of the rows' own kind.
    """

    def _fit_on_device(self, X: Any, y: Any, sample_weight: Any, groups: Any, home: Home) -> Self:
        size = self._landmarks_on_device()
        X = home.floats(X)
        host = home.to_host(X)
        y, sample_weight = (_on_host(values) for values in (y, sample_weight))
        training = self._training(host, y, sample_weight)
        if training.kept is not None:
            X = home.xp.take(X, home.bring(training.numbers), axis=0)
        rows = training.rows
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        landmarks = None if size is None else distinct_sample(rows.X, min(size, len(rows)), seed)
        kernels = [
            Kernel(self.kernel, gamma, self.degree, self.coef0)
            for gamma in gamma_values(self.kernel, self.gamma, rows.X, seed)
        ]
        problems = [
            DeviceProblem(X, kernel, rows.bare, self.fit_intercept, landmarks, None, home)
            for kernel in kernels
        ]
        self._learn(training, problems, Splits.of(self.cv, training, groups))
        del self._history  # Its rows are elsewhere, and are not kept.
        return self

    def _landmarks_on_device(self) -> int | None:
        """Number of landmarks, None for a linear model."""
        if not isinstance(self.kernel, str) or self.kernel not in KERNELS:
            raise ValueError(
                f"kernel={self.kernel!r} is not computed on tensors; give one of "
                f"{', '.join(KERNELS)}, or X as a NumPy array."
            )
        if self.kernel == "linear":
            return None
        if not isinstance(self.landmarks, int | np.integer):
            raise ValueError(
                f"landmarks={self.landmarks!r}: a kernel on tensors is projected on landmarks; "
                "give their number, such as landmarks=1000."
            )
        return int(self.landmarks)

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
        function = self.__dict__.get("function_")
        if isinstance(function, LinearOnDevice | ExpansionOnDevice):
            return function.home
        return None

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


def _on_host(values: Any) -> Any:
    home = None if values is None else Home.of(values)
    return values if home is None else home.to_host(values)
