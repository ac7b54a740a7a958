import json

import numpy as np
import pytest

from simplexcoding.persistence.labels import Labels, Names, Plain
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Sizes, Stored


def there_and_back(spec, value):
    out = Stored()
    code = json.loads(json.dumps(spec.write(value, out), allow_nan=False))
    return spec.read(code, Stored(out.arrays, file_size=1000))


@pytest.mark.parametrize(
    "labels",
    [
        np.array([3, 5, 9]),
        np.array([3, 5], dtype=np.uint8),
        np.array([0.5, 1.5], dtype=np.float32),
        np.array([False, True]),
        np.array(["", "a", "bc"]),
        np.array(["a", "é"], dtype=object),
        np.array([1, 2], dtype=object),
        np.array([-(2**63), 2**63 - 1]),
    ],
)
def test_labels_come_back_with_their_type(labels):
    found = there_and_back(Labels(), labels)
    np.testing.assert_array_equal(found, labels)
    assert found.dtype == labels.dtype


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (["i", 8, [1]], "holds 1 labels"),
        (["i", 8, [2, 1]], "not in rising order"),
        (["i", 8, [1, 1]], "not in rising order"),
        (["U", 0, ["a", "a\0"]], "not in rising order"),
        (["i", 8, [1, "a"]], "holds the label 'a'"),
        (["i", 8, [0, True]], "holds the label True"),
        (["i", 1, [1, 300]], "does not fit"),
        (["i", 8, [1, 10**30]], "does not fit"),
        (["u", 8, [-1, 1]], "does not fit"),
        (["i", 3, [1, 2]], "of 3 bytes"),
        (["i", [8], [1, 2]], "of a list bytes"),
        (["V", 8, [1, 2]], "of the kind 'V'"),
        ([["i"], 8, [1, 2]], "of the kind a list"),
        (["O", 0, [1, "a"]], "several kinds"),
        (["O", 0, [None, "a"]], "holds the label None"),
        (["O", 0, [[1], [2]]], "holds the label a list"),
        (["U", 0, ["a", "\ud800"]], "UTF-8"),
        (["U", 0, ["a", *("b" * k for k in range(1, 200)), "c" * 900]], "very unequal lengths"),
        ("abc", "is no list of labels"),
    ],
)
def test_labels_that_cannot_be_are_refused(code, text):
    with pytest.raises(Refusal, match=text):
        Labels().read(code, Stored(file_size=1000))


def test_names_are_as_many_as_features():
    names = np.array(["a", "b"], dtype=object)
    found = there_and_back(Names("p"), names)
    assert found.tolist() == ["a", "b"] and found.dtype == object
    with pytest.raises(Refusal, match="has length 2 where p = 3"):
        Names("p").read(["a", "b"], Stored(sizes=Sizes({"p": 3})))
    with pytest.raises(Refusal, match="expected text"):
        Names("p").read(["a", 1], Stored())


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 3, 2.5, "text", float("inf")),
        [1, (2, "x"), None],
        {"a": {1: "b"}, 2.5: [False]},
    ],
)
def test_parameters_come_back_equal_and_of_their_type(value):
    found = there_and_back(Plain(), value)
    assert found == value and type(found) is type(value)


def test_arrays_are_parameters_too():
    np.testing.assert_array_equal(there_and_back(Plain(), np.arange(3.0)), [0, 1, 2])
    assert there_and_back(Plain(), np.float32(0.5)) == 0.5


def nested(depth):
    return [] if depth == 0 else [nested(depth - 1)]


@pytest.mark.parametrize("value", [len, object(), np.array([len]), {1: len}, 10**30, nested(9)])
def test_what_could_run_or_grow_is_not_stored(value):
    with pytest.raises(Refusal, match=r"no model file holds|nested too deeply|64 bits"):
        Plain().write(value, Stored())


@pytest.mark.parametrize(
    "code",
    [[1], {}, {"a": 1}, {"list": 1}, {"dict": [1]}, {"dict": [[1, 2], [1, 3]]}, {"float": "1"}],
)
def test_codes_of_no_parameter_are_refused(code):
    with pytest.raises(Refusal):
        Plain().read(code, Stored())
