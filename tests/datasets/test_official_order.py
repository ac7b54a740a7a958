import numpy as np
import pytest

from simplexcoding.datasets import official_order
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.official_order import official_parts, sorting


@pytest.fixture
def table(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 3)), rng.integers(0, 2, 60)  # many equal rows
    monkeypatch.setattr(official_order, "known_places", lambda: {"table": sorting(X, y, 0)})
    return X, y


def test_shuffled_rows_come_back_in_their_order(table):
    X, y = table
    mixed = np.random.default_rng(1).permutation(len(X))
    parts = official_parts("table", X[mixed], y[mixed], 40, 0)
    for found, expected in zip(parts, (X[:40], y[:40], X[40:], y[40:]), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_table_with_rows_missing_is_refused(table):
    X, y = table
    with pytest.raises(DataError, match="59 rows here, the official table 60"):
        official_parts("table", X[1:], y[1:], 40, 0)


def test_sorting_is_by_first_column_then_the_next_then_the_label():
    X = np.array([[0.2, 1.0], [0.1, 2.0], [0.1, 1.0], [0.1, 1.0]])
    assert sorting(X, [0, 0, 1, 0], 1).tolist() == [3, 2, 1, 0]
