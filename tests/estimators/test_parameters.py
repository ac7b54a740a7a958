import numpy as np
import pytest

from simplexcoding.estimators.parameters import FROM_ONE, POSITIVE_NUMBERS


@pytest.mark.parametrize("value", [1, 0.5, np.float32(2), [1, 2.0], (3,), np.array([1e-3, 1e3])])
def test_positive_numbers_are_one_or_many(value):
    assert POSITIVE_NUMBERS.is_satisfied_by(value)


@pytest.mark.parametrize(
    "value", [0, -1.0, np.inf, np.nan, [], [1, 0], [[1.0]], "1", "auto", None, {}, [1, "a"]]
)
def test_other_things_are_not(value):
    assert not POSITIVE_NUMBERS.is_satisfied_by(value)


def test_a_constraint_says_what_it_wants():
    assert str(POSITIVE_NUMBERS) == "a float in the range (0.0, inf), a list of them"
    assert str(FROM_ONE) == "an int in the range [1, inf)"
