"""The parts of a fitted estimator that an exported model is made of."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from simplexcoding.arrays import Floats
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.inference.calibration import Calibration


@dataclass(frozen=True)
class Learnt:
    """From rows to raw scores to probabilities and labels.

    Parameters
    ----------
    function : Function
    calibration : Calibration or None
        None where the estimator has no probabilities.
    classes : (T,) array of labels
    n_features : int
    """

    function: Function
    calibration: Calibration | None
    classes: Any
    n_features: int


def learnt(model: Any) -> Learnt:
    """Take a fitted estimator of this package apart."""
    check_is_fitted(model)
    if not hasattr(model, "intercept_"):
        raise TypeError(f"a {type(model).__name__} cannot be exported yet.")
    calibration = getattr(model, "calibration_", None)
    return Learnt(_function(model), calibration, model.classes_, model.n_features_in_)


def _function(model: Any) -> Function:
    if hasattr(model, "_function"):
        return model._function
    intercept = _of_both_classes(np.atleast_1d(model.intercept_), model)
    if getattr(model, "coef_", None) is not None:
        return LinearFunction(_of_both_classes(model.coef_.T, model), intercept)
    weights = _of_both_classes(model.dual_coef_, model)
    return KernelExpansion(model.kernel_, model.X_fit_, weights, intercept)


def _of_both_classes(values: Floats, model: Any) -> Floats:
    """Last axis of size T where two classes were kept as one."""
    if values.shape[-1] == len(model.classes_):
        return values
    return np.concatenate([-values, values], axis=-1)
