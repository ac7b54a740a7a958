"""Checks that span the fields of one record; `test_models` sends every estimator through."""

from dataclasses import replace

import numpy as np
import pytest

from simplexcoding.kernels import Kernel
from simplexcoding.persistence import schemas
from simplexcoding.persistence.records import Record, field_names
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Sizes, Stored
from simplexcoding.selection.path import Path

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


def test_a_path_has_values_and_its_choice_is_one_of_its_gammas():
    path = Path.along("alpha", [1.0, 0.1], [0.5, 0.9])
    schemas.PATH.write(path, Stored())
    several = Path.over([2.0, 1.0], [path, path])
    schemas.RIDGE_PATH.write(several, Stored())
    for schema, wrong, text in [
        (schemas.PATH, replace(path, best_gamma=1), "best gamma 1 outside"),
        (schemas.RIDGE_PATH, replace(several, best_gamma=2), "best gamma 2 outside"),
        (schemas.RIDGE_PATH, replace(several, gammas=np.ones(3)), "length 3|length 2"),
        (schemas.PATH, replace(path, gammas=np.ones(2)), "gammas is a ndarray, expected nothing"),
        (schemas.PATH, path.at([]), "has no values"),
    ]:
        with pytest.raises(Refusal, match=text):
            schema.write(wrong, Stored())
