import json

import numpy as np
import pytest

from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import Maybe, Nothing, Number, OneOf, Pair, Text, Whole, short
from simplexcoding.persistence.stored import Stored

INF, NAN = float("inf"), float("nan")


def there_and_back(spec, value):
    code = json.loads(json.dumps(spec.write(value, Stored()), allow_nan=False))
    return spec.read(code, Stored())


@pytest.mark.parametrize(
    ("spec", "value"),
    [
        (Text(), "é"),
        (Text(("a", "b")), "b"),
        (Whole(), 3),
        (Number(), -0.1),
        (Number(finite=False), INF),
        (Nothing(), None),
        (Maybe(Whole()), None),
        (Maybe(Whole()), 4),
        (Pair(Whole(), Number()), (1, 0.5)),
        (OneOf(number=Whole(), word=Text()), "a"),
    ],
)
def test_values_come_back(spec, value):
    found = there_and_back(spec, value)
    assert found == value and type(found) is type(value)


def test_nan_and_scalars_of_numpy():
    assert np.isnan(there_and_back(Number(finite=False), NAN))
    assert there_and_back(Number(), np.float64(0.25)) == 0.25
    assert there_and_back(Whole(), np.int64(3)) == 3


@pytest.mark.parametrize(
    ("spec", "code", "text"),
    [
        (Text(), 1, "expected text"),
        (Text(), "\ud800", "cannot be written as UTF-8"),
        (Text(("a",)), "b", "expected one of a"),
        (Text(("a",)), [], "is a list, expected text"),
        (Nothing(), 0, "is 0, expected nothing"),
        (Whole(), 1.0, "expected an integer"),
        (Whole(), True, "expected an integer"),
        (Whole(1), 0, "expected an integer >= 1"),
        (Whole(), 10**30, "expected an integer"),
        (Number(), "1", "expected a number"),
        (Number(), True, "expected a number"),
        (Number(), "inf", "expected a finite number"),
        (Number(), 10**400, "too large"),
        (Number(0), -1e-9, "expected a number from 0 to inf"),
        (Number(0, 1, finite=False), "inf", "from 0 to 1"),
        (Pair(Whole(), Whole()), [1], "expected a pair"),
        (OneOf(a=Whole()), 3, "expected one of a"),
        (OneOf(a=Whole()), {"b": 3}, "is 'b', expected one of a"),
        (OneOf(a=Whole()), {"a": 1, "b": 3}, "expected one of a"),
    ],
)
def test_codes_that_do_not_fit_are_refused(spec, code, text):
    with pytest.raises(Refusal, match=text):
        spec.read(code, Stored())


def test_a_value_of_no_kind_names_all_of_them():
    with pytest.raises(Refusal, match=r"no number: it is 'a', .*; no share: it is 'a'"):
        OneOf(number=Whole(), share=Number(0, 1)).write("a", Stored())


def test_values_in_errors_are_short():
    for value in ("x" * 10**6, 10**5000, [1] * 10**6, {"a": 1}):
        assert len(short(value)) <= 40
