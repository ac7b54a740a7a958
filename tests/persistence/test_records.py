import pytest

from simplexcoding.inference.calibration import Temperature
from simplexcoding.persistence.records import Fields, Record
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.specs import Number, Text, Whole
from simplexcoding.persistence.stored import Stored

TEMPERATURE = Record("simplexcoding.inference.calibration:Temperature", Fields({"beta": Number(0)}))


def ordered(values, sizes):
    if values["low"] > values["high"]:
        raise Refusal("is turned round")


SPAN = Fields({"low": Whole(), "high": Whole(), "note": Text()}, ordered, optional=("note",))


def test_a_record_comes_back():
    value = Temperature(0.5)
    assert TEMPERATURE.read(TEMPERATURE.write(value, Stored()), Stored()) == value


def test_only_that_class_is_written_and_only_if_it_is_declared_whole():
    with pytest.raises(Refusal, match="is a str, expected Temperature"):
        TEMPERATURE.write("rbf", Stored())
    with pytest.raises(Refusal, match="holds 'beta', which is not declared"):
        Record(TEMPERATURE.place, Fields({})).write(Temperature(0.5), Stored())


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ({"low": 1, "high": 2, "more": 3}, "holds 'more', which is not declared"),
        ({"low": 1}, "has no high"),
        ({"low": 1, "high": "a"}, "^high is 'a', expected an integer"),
        ({"low": 3, "high": 2}, "is turned round"),
        ([1, 2], "expected fields"),
    ],
)
def test_fields_are_the_declared_ones_and_go_together(code, text):
    with pytest.raises(Refusal, match=text):
        SPAN.read(code, Stored())
    if isinstance(code, dict):
        with pytest.raises(Refusal, match=text):
            SPAN.write(code, Stored())


def test_optional_fields_may_be_absent():
    assert SPAN.read({"low": 1, "high": 2}, Stored()) == {"low": 1, "high": 2}
