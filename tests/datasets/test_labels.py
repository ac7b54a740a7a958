import numpy as np
import pytest

from simplexcoding.datasets.labels import numbered


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["1", "2", "10", "2"], [0, 1, 2, 1]),
        (["'7'", "'1'"], [1, 0]),
        (["1.", "7."], [0, 1]),
        (np.array([5, 3, 3]), [1, 0, 0]),
        (["Z", "A", "B"], [2, 0, 1]),
    ],
)
def test_numbers_sort_as_numbers_and_words_as_words(labels, expected):
    assert numbered(labels).tolist() == expected
