import numpy as np
import pytest

from simplexcoding import (
    SimplexBoostingClassifier,
    SimplexRidgeClassifier,
    SimplexSGDClassifier,
    SimplexSVC,
)
from simplexcoding.estimators.parameters import FROM_ONE, POSITIVE_NUMBERS


@pytest.mark.parametrize("value", [1, 0.5, np.float32(2), [1, 2.0], (3,), np.array([1e-3, 1e3])])
def test_positive_numbers_are_one_or_many(value):
    assert POSITIVE_NUMBERS.is_satisfied_by(value)


@pytest.mark.parametrize(
    "value",
    [
        0,
        -1.0,
        np.inf,
        np.nan,
        [],
        [1, 0],
        [[1.0]],
        "1",
        "auto",
        None,
        {},
        [1, "a"],
        True,
        [True, 2.0],
        np.True_,
    ],
)
def test_other_things_are_not(value):
    assert not POSITIVE_NUMBERS.is_satisfied_by(value)


def test_a_constraint_says_what_it_wants():
    assert str(POSITIVE_NUMBERS) == "a float in the range (0.0, inf), a list of them"
    assert str(FROM_ONE) == "an int in the range [1, inf)"


@pytest.mark.parametrize(
    ("model", "name", "value"),
    [
        (SimplexRidgeClassifier, "alphas", True),
        (SimplexRidgeClassifier, "alphas", [True, 2.0]),
        (SimplexRidgeClassifier, "landmarks", True),
        (SimplexRidgeClassifier, "gamma", np.True_),
        (SimplexSVC, "C", True),
        (SimplexSGDClassifier, "max_iter", True),
        (SimplexBoostingClassifier, "n_estimators", True),
    ],
)
def test_true_is_no_number(model, name, value):
    with pytest.raises(ValueError, match=f"The '{name}' parameter of {model.__name__} must be"):
        model(**{name: value}).fit(np.eye(4), [0, 0, 1, 1])


def test_a_wrong_array_is_named_by_its_shape():
    with pytest.raises(ValueError, match=r"Got an array of shape \(20, 2\) instead\.$") as caught:
        SimplexRidgeClassifier(alphas=np.ones((20, 2))).fit(np.eye(4), [0, 0, 1, 1])
    assert "\n" not in str(caught.value)
