"""Rows that are set aside with their copies, so that a weight stands for as many rows."""

from typing import Any

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.kernels import row_keys
from simplexcoding.rows import hold_out


def held_out_copies(X: Any, y: Indices, fraction: float, seed: int) -> Indices:
    """Rows to set aside; copies of one row with one label stay together, in any order of rows.

    So a weight sets aside what as many copies would. Where no row could be set
    aside otherwise, copies are separated.
    """
    first, place = _distinct(X, y)
    _, held = hold_out(y[first], fraction, np.random.default_rng(seed))
    if not len(held):
        return hold_out(y, fraction, np.random.default_rng(seed))[1]
    return np.flatnonzero(np.isin(place, held))


def folds_of_copies(X: Any, y: Indices, n_folds: int, seed: int) -> list[Indices]:
    """Folds that each row is in one of, (m,) arrays; copies of a row with one label together.

    The rows of a class are dealt in turn, so that each fold has its share of every class.
    The draw follows the order of the rows, whatever their precision and the names of their
    classes. There are fewer folds where there are fewer rows.
    """
    first, place = _distinct(X, y)
    order = np.random.default_rng(seed).permutation(len(first))
    turn = np.argsort(first)[order]  # Kinds of row, drawn from the order in which they appear.
    fold = np.empty(len(first), dtype=np.intp)
    for label in np.unique(y):
        places = np.flatnonzero(y[first[turn]] == label)
        # From where the first of them was drawn, so that small classes spread over the folds.
        fold[turn[places]] = (places[0] + np.arange(len(places))) % n_folds
    numbers = np.unique(fold[place], return_inverse=True)[1]
    return [np.flatnonzero(numbers == k) for k in range(int(numbers.max()) + 1)]


def _distinct(X: Any, y: Indices) -> tuple[Indices, Indices]:
    """The first of each kind of row, by features and label, and the kind of every row."""
    place = np.unique(row_keys(X), return_inverse=True)[1]
    pairs = place * (int(y.max()) + 1) + y
    _, first, place = np.unique(pairs, return_index=True, return_inverse=True)
    return first, place
