"""Forests, whose indices compiled code follows; `test_models` sends whole models through."""

from dataclasses import replace

import numpy as np
import pytest

from simplexcoding.persistence import boosting_schemas as schemas
from simplexcoding.persistence.records import Record, field_names
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Sizes, Stored
from simplexcoding.solvers.boosting.forest import Forest

RECORDS = [value for value in vars(schemas).values() if isinstance(value, Record)]


def sizes():
    return Sizes({"T": 4, "p": 5})


def forest(**changes):
    """Two rounds of one tree each: depth 2, four classes, five features."""
    sound = Forest(
        np.array([[0, 4, 2], [1, 1, 1]]),
        np.array([[0.5, np.inf, 1.0], [0.0, 0.0, 0.0]]),
        np.ones((2, 3)),
        np.ones((2, 4, 3)),
        np.array([-1, -1]),
        np.array([1, 2]),
        np.ones((2, 3), dtype=bool),
        np.array([[-1, 0, -1], [-1, -1, -1]]),
        np.array([[6, 0, 0, 0]]),
    )
    return replace(sound, **changes)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.place)
def test_every_record_is_of_this_package_and_declares_what_its_class_takes(record):
    assert record.place.startswith("simplexcoding.")
    assert set(record.fields.specs) == set(field_names(record.kind))


def test_a_sound_forest_comes_back():
    out = Stored(sizes=sizes())
    code = schemas.TREES.write(forest(), out)
    found = schemas.TREES.read(code, Stored(out.arrays, sizes()))
    np.testing.assert_array_equal(found.features, forest().features)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"features": np.full((2, 3), 5)}, r"features holds a value outside \[0, 4\]"),
        ({"features": np.full((2, 3), -1)}, r"features holds a value outside \[0, 4\]"),
        ({"features": np.zeros((2, 2), dtype=int)}, "thresholds has length 3 where q = 2"),
        ({"values": np.ones((2, 3, 3))}, "values of the forest"),
        ({"values": np.ones((2, 4, 2))}, "values of the forest"),
        ({"values": np.ones((2, 4, 1))}, "values of the forest"),
        ({"coordinates": np.array([0, 3])}, "of the forest does not fit"),
        ({"coordinates": np.array([0, -2])}, "coordinates holds a value outside"),
        ({"set_of": np.full((2, 3), 1)}, r"set_of holds a value outside \[-1, 0\]"),
        ({"sets": np.zeros((1, 3), dtype=int)}, "sets has length 3 where 4 = 4"),
        ({"ends": np.array([2, 1])}, "ends of the forest"),
        ({"ends": np.array([1, 9])}, "ends of the forest"),
        ({"ends": np.array([], dtype=int)}, "ends of the forest"),
        ({"thresholds": np.zeros((2, 3), dtype=np.float32)}, "thresholds of the forest"),
    ],
)
def test_compiled_code_gets_no_index_out_of_bounds(changes, text):
    with pytest.raises(Refusal, match=text):
        schemas.TREES.write(forest(**changes), Stored(sizes=sizes()))


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ((), "other columns than lists"),
        (((1, [2]),), "neither text nor numbers"),
        (((None,),), "neither text nor numbers"),
        (([1, 2],), "lists of categories that are none"),
    ],
)
def test_categories_are_lists_of_text_or_numbers(values, text):
    from simplexcoding.solvers.boosting.categories import Categories

    with pytest.raises(Refusal, match=text):
        schemas.CATEGORIES.write(Categories(np.array([0]), values), Stored(sizes=sizes()))
