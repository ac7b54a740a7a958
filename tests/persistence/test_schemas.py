"""Checks that span the fields of one record; `test_models` sends every estimator through."""

import numpy as np
import pytest

from simplexcoding.kernels import Kernel
from simplexcoding.persistence import schemas
from simplexcoding.persistence.records import Record, field_names
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Sizes, Stored

RECORDS = [value for value in vars(schemas).values() if isinstance(value, Record)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.place)
def test_every_record_is_of_this_package_and_declares_what_its_class_takes(record):
    assert record.place.startswith("simplexcoding.")
    assert set(record.fields.specs) == set(field_names(record.kind))


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        (Kernel("rbf", np.nan), "gamma is nan, expected a finite number"),
        (Kernel("sigmoid"), "name is 'sigmoid', expected one of linear"),
        (Kernel("rbf", scale=np.zeros(4)), "scale holds a value outside"),
        (Kernel("rbf", scale=np.ones(3)), "scale has length 3 where p = 4"),
    ],
)
def test_a_kernel_is_one_of_ours_with_lengths_for_every_feature(kernel, text):
    with pytest.raises(Refusal, match=text):
        schemas.KERNEL.write(kernel, Stored(sizes=Sizes({"p": 4})))
