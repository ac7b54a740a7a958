"""Rows in any order, back in the order of the official split."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.datasets.checks import DataError, integers


def sorting(X: Any, y: Any, decimals: int) -> Indices:
    """Indices that sort rows by their values, first column first, then by label."""
    columns = integers(X, decimals).T
    return np.lexsort([np.asarray(y), *columns[::-1]])


@cache
def known_places() -> dict[str, Indices]:
    """For each set, the official place of every sorted row: training rows, then test rows.

    The arrays (two bytes per row) were made by benchmarks/official_splits.py from the files
    of the UCI repository, whose order defines the split.
    """
    with files("simplexcoding.datasets").joinpath("official_order.npz").open("rb") as stream:
        arrays = np.load(stream)
        return {name: arrays[name].astype(np.intp) for name in arrays.files}


def official_parts(
    name: str, X: Any, y: Any, n_train: int, decimals: int
) -> tuple[Any, Any, Any, Any]:
    """Cut a whole table, its rows in any order, into the official X_train, y_train, X_test, y_test.

    Equal rows are interchangeable, so sorting tells every other row apart.
    """
    places = known_places()[name]
    if len(X) != len(places):
        raise DataError(f"{name} has {len(X)} rows here, the official table {len(places)}.")
    order = np.empty(len(places), dtype=np.intp)
    order[places] = sorting(X, y, decimals)
    X, y = np.asarray(X)[order], np.asarray(y)[order]
    return X[:n_train], y[:n_train], X[n_train:], y[n_train:]
