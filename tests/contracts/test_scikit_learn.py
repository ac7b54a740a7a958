"""Scikit-learn's own checks, on the defaults and on the variants that change the code's path."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)

DEFAULTS = (
    SimplexRidgeClassifier(),
    SimplexSVC(),
    SimplexSGDClassifier(),
    SimplexBoostingClassifier(),
)
VARIANTS = (
    SimplexRidgeClassifier("linear"),
    SimplexRidgeClassifier("rbf"),
    SimplexRidgeClassifier("rbf", landmarks=20),
    SimplexRidgeClassifier("rbf", cv=3),
    SimplexRidgeClassifier("rbf", gamma=[0.1, 1.0], scaling="standard"),
    SimplexRidgeClassifier("exponential", gamma="auto", calibration="vector"),
    SimplexRidgeClassifier("laplacian", fit_intercept=False),
    SimplexRidgeClassifier("poly", scoring="neg_mean_squared_error"),
    SimplexRidgeClassifier("linear", cv=3, calibration="none"),
    SimplexRidgeClassifier("linear", calibration="vector"),
    SimplexSGDClassifier("logistic", early_stopping=True, validation_fraction=0.4),
    SimplexSGDClassifier("relative", average=False),
    SimplexSGDClassifier("least_squares", [1e-3, 1e-1], validation_fraction=0.4),
    SimplexSGDClassifier("cone", learning_rate="pegasos"),
    SimplexBoostingClassifier("logistic", "gradient"),
    SimplexBoostingClassifier("exponential", "gradient"),
    SimplexBoostingClassifier("exponential", "coordinate"),
    SimplexBoostingClassifier("exponential", "gradient", leaves="vertex"),
    SimplexBoostingClassifier("exponential", "gradient", early_stopping=True),
    SimplexBoostingClassifier("exponential", "coordinate", early_stopping=True),
)
_STEPS = "a row of weight two is one step, a row given twice is two: one optimum, not to 1e-7"
_TO_TOL = "passes where the solution is exact to rounding: see estimators/test_svc_checks.py"
_EVENTUALLY = "500 exact steps answer every row rightly, whatever it weighs; see tests/estimators"


def known_failures(model):
    """Checks of scikit-learn that a model fails for a reason that stands in its docstring."""
    if isinstance(model, SimplexBoostingClassifier):
        if model.method == "newton" or model.early_stopping is True:
            return {}
        return {"check_class_weight_classifiers": _EVENTUALLY}
    reason = {SimplexSVC: _TO_TOL, SimplexSGDClassifier: _STEPS}.get(type(model))
    kinds = ("dense", "sparse") if reason else ()
    return {f"check_sample_weight_equivalence_on_{kind}_data": reason for kind in kinds}


@pytest.mark.parametrize("model", [*DEFAULTS, *VARIANTS], ids=repr)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
# Some of the checks draw rows a hundred spreads from zero.
@pytest.mark.filterwarnings("ignore:The mean of X is:UserWarning")
def test_scikit_learn_checks(model):
    results = check_estimator(
        model, on_fail=None, on_skip=None, expected_failed_checks=known_failures(model)
    )
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert failed == {}
