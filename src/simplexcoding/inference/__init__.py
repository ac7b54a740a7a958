"""After the fit: what left-out scores say of probabilities, sets and labels.

Left-out scores, (n, T), are those of rows by models fitted without them. Who made them does
not matter: the ridge has them exactly as `loo_scores_`, any model from cross-validation.

>>> import numpy as np
>>> from simplexcoding.inference import fit_calibration
>>> left_out, y = np.array([[1.0, -1], [0.5, -0.5], [-1, 1]] * 10), np.array([0, 1, 1] * 10)
>>> fit_calibration("temperature", left_out, y).probabilities(np.array([[1.0, -1.0]])).round(2)
array([[0.82, 0.18]])
"""

from simplexcoding.inference.calibration import (
    Calibration,
    Pooled,
    Temperature,
    Uncalibrated,
    Vector,
    expected_calibration_error,
    fit_calibration,
    regression_probabilities,
)
from simplexcoding.inference.conformal import SetRule, fit_set_rule
from simplexcoding.inference.label_audit import LabelAudit, audit_left_out
from simplexcoding.inference.sets import prediction_sets
from simplexcoding.inference.suspects import Suspects, estimate_errors, rank_suspects

__all__ = [
    "Calibration",
    "LabelAudit",
    "Pooled",
    "SetRule",
    "Suspects",
    "Temperature",
    "Uncalibrated",
    "Vector",
    "audit_left_out",
    "estimate_errors",
    "expected_calibration_error",
    "fit_calibration",
    "fit_set_rule",
    "prediction_sets",
    "rank_suspects",
    "regression_probabilities",
]
