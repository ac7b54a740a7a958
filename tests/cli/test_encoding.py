import json

import numpy as np
import pytest

from simplexcoding.cli.complaint import Complaint
from simplexcoding.cli.encoding import ESTIMATORS, VALUES, decode, encode, named
from simplexcoding.kernels import Kernel


def there_and_back(value):
    arrays = {}
    code = json.loads(json.dumps(encode(value, arrays)))
    return decode(code, arrays)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        2.5,
        "text",
        float("inf"),
        [1, (2, "x"), None],
        {"a": {1: "b"}, 2.5: [False]},
        Kernel("rbf", 0.5),
    ],
)
def test_values_come_back_equal_and_of_their_type(value):
    found = there_and_back(value)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3),
        np.array([True, False]),
        np.array(["ab", "c"]),
        np.array(["ab", 3], dtype=object),
        np.zeros((0, 2), dtype=np.float32),
    ],
)
def test_arrays_come_back_with_shape_and_dtype(array):
    found = there_and_back(array)
    np.testing.assert_array_equal(found, array)
    assert found.dtype == array.dtype and found.shape == array.shape


def test_scalars_of_numpy_stay_what_they_are():
    found = there_and_back(np.float32(0.1))
    assert found == np.float32(0.1) and isinstance(found, np.float32)


@pytest.mark.parametrize("value", [len, object(), np.array([object()]), np.array([None]), {1: len}])
def test_what_could_run_is_not_stored(value):
    with pytest.raises(Complaint, match="cannot be stored"):
        encode(value, {})


@pytest.mark.parametrize("name", ["Popen", "os.system", "SimplexCode", ["Kernel"][0] * 2, None])
def test_names_outside_the_list_are_refused(name):
    with pytest.raises(Complaint, match="which no model file may hold"):
        decode({"value": name, "fields": {}}, {})


def test_the_lists_name_this_package_alone():
    for module in (*ESTIMATORS.values(), *VALUES.values()):
        assert module.startswith("simplexcoding.")
    assert named("Kernel", VALUES) is Kernel
