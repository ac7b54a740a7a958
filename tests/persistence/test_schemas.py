"""Checks that span the fields of one record; `test_models` sends every estimator through."""

from dataclasses import replace

import numpy as np
import pytest

from simplexcoding.persistence import schemas
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
        ({"values": np.ones((2, 3, 3))}, "trees of 3 splits and 3 leaves"),
        ({"values": np.ones((2, 4, 2))}, "leaves of 2 values for 4 classes"),
        ({"values": np.ones((2, 4, 1))}, "leaves of 1 values for 4 classes"),
        ({"coordinates": np.array([0, 3])}, "coordinate beyond 3"),
        ({"coordinates": np.array([0, -2])}, "coordinates holds a value outside"),
        ({"set_of": np.full((2, 3), 1)}, r"set_of holds a value outside \[-1, 0\]"),
        ({"sets": np.zeros((1, 3), dtype=int)}, "sets has length 3 where 4 = 4"),
        ({"ends": np.array([2, 1])}, "rounds that do not end with its trees"),
        ({"ends": np.array([1, 9])}, "rounds that do not end with its trees"),
        ({"ends": np.array([], dtype=int)}, "rounds that do not end with its trees"),
    ],
)
def test_compiled_code_gets_no_index_out_of_bounds(changes, text):
    with pytest.raises(Refusal, match=text):
        schemas.TREES.write(forest(**changes), Stored(sizes=sizes()))
