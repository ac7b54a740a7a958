"""The parts of a fitted estimator that an exported model is made of."""

from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from simplexcoding.fitted import of_host
from simplexcoding.functions import Function
from simplexcoding.inference.calibration import Calibration, Temperature, Uncalibrated
from simplexcoding.losses import get_loss


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
    model = of_host(model)
    return Learnt(model.function_, _calibration(model), model.classes_, model.n_features_in_)


def _calibration(model: Any) -> Calibration | None:
    """The calibration that was fitted, or the one that says what the loss says."""
    if not hasattr(model, "predict_proba"):
        return None
    fitted: Calibration | None = getattr(model, "calibration_", None)
    if fitted is not None:
        return fitted
    return Uncalibrated() if get_loss(model.loss).odds is None else Temperature(1.0)
