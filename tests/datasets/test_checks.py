from dataclasses import replace

import numpy as np
import pytest

from simplexcoding.datasets.checks import DataError, checked, fingerprint
from simplexcoding.datasets.sources import load_bundled


@pytest.fixture(scope="module")
def iris():
    return load_bundled("iris")


def test_the_fingerprint_does_not_depend_on_the_precision_of_the_copy(iris):
    single = replace(iris, X_train=iris.X_train.astype(np.float32).astype(np.float64))
    assert not np.array_equal(single.X_train, iris.X_train)
    assert fingerprint(single, 1) == fingerprint(iris, 1)


def changed(array, place):
    copy = array.copy()
    copy[place] += 1
    return copy


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("shapes", lambda s: {"X_train": s.X_train[:-1], "y_train": s.y_train[:-1]}),
        ("counts", lambda s: {"y_test": changed(s.y_test % 2, 0)}),
        ("sha256", lambda s: {"X_test": changed(s.X_test, (0, 0))}),
        ("sha256", lambda s: {"X_train": s.X_train[::-1], "y_train": s.y_train[::-1]}),
    ],
)
def test_other_rows_are_refused_with_what_differs(iris, what, change):
    with pytest.raises(DataError, match=f"iris from scikit-learn .* its {what} "):
        checked(replace(iris, **change(iris)), 1)
