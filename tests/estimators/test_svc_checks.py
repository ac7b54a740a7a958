"""scikit-learn's checks of margin machines, over what changes the path of the code."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import (
    check_class_weight_classifiers,
    check_estimator,
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
)

from simplexcoding import SimplexSVC

VARIANTS = [
    {},
    {"calibration": "vector"},
    {"calibration": "temperature", "kernel": "linear"},
    {"kernel": "linear"},
    {"loss": "logistic", "kernel": "linear"},
    {"loss": "relative", "kernel": "linear"},
    {"loss": "half_space"},
    {"loss": "vertex"},
    {"loss": "logistic"},
    {"C": [0.1, 1.0]},
    {"C": 1.0, "landmarks": 10},
    {"kernel": "precomputed"},
]
TO_TOL = "asked of a solution that is exact to rounding, in the test below"
NO_KERNEL = "the check gives a square matrix that is no kernel: see the test below"
KNOWN = {
    "check_sample_weight_equivalence_on_dense_data": TO_TOL,
    "check_sample_weight_equivalence_on_sparse_data": TO_TOL,
}
KNOWN_PRECOMPUTED = {
    "check_positive_only_tag_during_fit": NO_KERNEL,
    "check_estimators_dtypes": NO_KERNEL,
    "check_class_weight_classifiers": "at unseen rows its kernel is zero; passes with an intercept",
}


def test_what_the_checks_give_as_precomputed_kernels_is_none():
    """Eigenvalues far below zero, which are refused as the ridge refuses them."""
    A = 3 * np.random.RandomState(0).uniform(size=(20, 5)).astype(np.float32)
    cut = (A @ A.T).astype(np.int64)  # check_estimators_dtypes
    flowers = load_iris().data
    shifted = flowers @ flowers.T
    shifted -= shifted.mean()  # check_positive_only_tag_during_fit
    for K, y in ((cut, np.arange(20) % 2), (shifted, load_iris().target)):
        s = np.linalg.eigvalsh(K.astype(float))
        assert s[0] < -0.005 * s[-1]
        with pytest.raises(ValueError, match="positive semi-definite"):
            SimplexSVC(kernel="precomputed", C=1.0).fit(K, y)


def test_kernel_values_that_were_float32_are_a_kernel():
    A = 3 * np.random.RandomState(0).uniform(size=(20, 5))
    y = np.arange(20) % 2
    single = (A.astype(np.float32) @ A.astype(np.float32).T).astype(np.float32)
    assert np.linalg.eigvalsh(single.astype(float))[0] < 0
    fit = dict(kernel="precomputed", C=0.01, tol=1e-6)
    rounded = SimplexSVC(**fit).fit(single, y).decision_function(single)
    exact = SimplexSVC(**fit).fit(A @ A.T, y).decision_function(A @ A.T)
    assert np.allclose(rounded, exact, atol=2e-3 * np.abs(exact).max())


def test_the_class_weight_check_passes_with_an_intercept():
    check_class_weight_classifiers("svc", SimplexSVC(kernel="precomputed", fit_intercept=True))


@pytest.mark.filterwarnings("ignore:SimplexSVC stopped")
@pytest.mark.parametrize("options", VARIANTS, ids=repr)
def test_scikit_learn_checks(options):
    known = KNOWN | KNOWN_PRECOMPUTED if options.get("kernel") == "precomputed" else KNOWN
    results = check_estimator(
        SimplexSVC(**options), on_fail=None, on_skip=None, expected_failed_checks=known
    )
    assert [r["check_name"] for r in results if r["status"] == "failed"] == []


EXACT = {"tol": 1e-16, "max_iter": 3000}
# A calibration is fitted to fewer digits than the check compares, landmarks are drawn among rows,
# and a precomputed kernel is not given to it.
ONE_COST = [
    {"C": 1.0} | options
    for options in VARIANTS
    if not {"landmarks", "calibration"} & set(options) and "precomputed" not in options.values()
]


@pytest.mark.filterwarnings("ignore:SimplexSVC stopped")
@pytest.mark.parametrize("options", ONE_COST, ids=repr)
def test_weights_are_repeated_rows_where_the_solution_is_exact(options):
    """scikit-learn too runs this check on its own iterative solvers at a tol near rounding."""
    model = SimplexSVC(**options | EXACT)
    check_sample_weight_equivalence_on_dense_data("svc", model)
    if options.get("kernel") == "linear":
        check_sample_weight_equivalence_on_sparse_data("svc", model)
