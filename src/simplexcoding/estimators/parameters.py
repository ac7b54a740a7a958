"""What parameters may be, declared as scikit-learn does; what several estimators share.

An estimator lists the constraints of its parameters in `_parameter_constraints` and calls
`self._validate_params()` in the first line of `fit` and of `partial_fit`.
"""

from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions

from simplexcoding.kernels import KERNELS


def is_word(value: Any, word: str) -> bool:
    """Whether a parameter that may be an array, a number or a callable is this word."""
    return isinstance(value, str) and value == word


class Number(Interval):
    """A number in an interval; True and False are none."""

    def is_satisfied_by(self, value: Any) -> bool:
        return not isinstance(value, bool | np.bool_) and bool(super().is_satisfied_by(value))


class Numbers(Interval):
    """A number in an interval, or an array-like of such numbers that is not empty."""

    def is_satisfied_by(self, value: Any) -> bool:
        flags = value if isinstance(value, list | tuple) else [value]
        if any(np.asarray(flag).dtype == bool for flag in flags):
            return False
        try:
            numbers = np.atleast_1d(np.asarray(value, dtype=np.float64))
        except (TypeError, ValueError):
            return False
        if isinstance(value, str) or numbers.ndim != 1 or not numbers.size:
            return False
        return all(float(number) in self for number in numbers)

    def __str__(self) -> str:
        return f"{super().__str__()}, a list of them"


POSITIVE = Number(Real, 0, None, closed="neither")
POSITIVE_NUMBERS = Numbers(Real, 0, None, closed="neither")
FRACTION = Number(Real, 0, 1, closed="neither")
FROM_ZERO = Number(Real, 0, None, closed="left")
FROM_ONE = Number(Integral, 1, None, closed="left")

KERNEL: dict[str, Any] = {
    "kernel": [StrOptions(set(KERNELS)), callable],
    "degree": [FROM_ZERO],
    "coef0": [Number(Real, None, None, closed="neither")],
}
SHARED: dict[str, Any] = {
    "fit_intercept": ["boolean"],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "random_state": ["random_state"],
    "verbose": ["boolean", StrOptions({"auto"})],
}
BOOSTING: dict[str, Any] = {
    "loss": [str],
    "method": [StrOptions({"newton", "gradient", "coordinate"})],
    "n_estimators": [FROM_ONE],
    "learning_rate": [Number(Real, 0, 1, closed="right"), None],
    "max_depth": [Number(Integral, 1, 10, closed="both"), None],
    "l2_regularization": [FROM_ZERO],
    "n_directions": [FROM_ONE],
    "max_features": [
        FROM_ONE,
        Number(Real, 0, 1, closed="right"),
        StrOptions({"auto", "sqrt", "log2"}),
        None,
    ],
    "min_samples_leaf": [FROM_ONE],
    "min_weight_fraction_leaf": [Number(Real, 0, 0.5, closed="left")],
    "max_bins": [Number(Integral, 2, 255, closed="both")],
    "categorical_features": [StrOptions({"from_dtype"}), "array-like", None],
    "leaves": [StrOptions({"vector", "vertex"})],
    "coordinates": [StrOptions({"all", "best"})],
    "estimator": [HasMethods(["fit", "predict"]), None],
    "early_stopping": ["boolean", StrOptions({"auto"})],
    "validation_fraction": [FRACTION],
    "n_iter_no_change": [FROM_ONE],
    "tol": [FROM_ZERO],
    "warm_start": ["boolean"],
}
