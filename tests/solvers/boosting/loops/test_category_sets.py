"""Orders of categories and their bits."""

import numpy as np

from simplexcoding.solvers.boosting.loops.category_sets import (
    WORDS,
    fill_set,
    holds,
    sort_categories,
)


def test_categories_with_rows_are_sorted_by_descent_per_weight():
    rng = np.random.default_rng(0)
    dim, bins = 3, 200
    work = rng.normal(size=(2, 2, bins + 1, dim + 2))
    work[..., dim] = rng.exponential(size=(2, 2, bins + 1))
    work[..., dim + 1] = rng.integers(2, size=(2, 2, bins + 1))
    orders = np.full((2, dim, bins + 1), -1)
    count = sort_categories(work, 1, 0, bins, dim, np.array([0.5, 0.0, 1.0]), orders)
    sums = work[1, 0]
    present = np.flatnonzero(sums[:, dim + 1])
    assert count == len(present) and np.all(orders[1] == -1) and np.all(orders[0, :, count:] == -1)
    for axis in range(dim):
        ratios = sums[present, axis] / (sums[present, dim] + 0.5)
        assert np.array_equal(orders[0, axis, :count], present[np.argsort(ratios)])


def test_a_set_has_the_bits_of_the_first_categories_of_an_order():
    orders = np.random.default_rng(0).permutation(256)[None, None]
    sets = np.full((2, 1, WORDS), -1, dtype=np.int64)
    for size in (0, 1, 100, 256):
        fill_set(orders, 0, 0, size, sets, 1)
        held = [code for code in range(256) if holds(sets[1, 0], code)]
        assert held == sorted(orders[0, 0, :size])
    assert np.all(sets[0] == -1)
