import numpy as np
import pytest

from simplexcoding.selection.hold_out import best_alpha, hold_out


@pytest.mark.parametrize("fraction", [0.05, 0.2, 0.5, 0.95])
def test_every_class_gives_its_share_and_keeps_a_row(fraction):
    y = np.repeat(np.arange(4), [1, 2, 30, 101])
    kept, held = hold_out(y, fraction, np.random.default_rng(0))
    assert np.array_equal(np.sort(np.concatenate([kept, held])), np.arange(len(y)))
    assert set(y[kept]) == set(range(4))
    counts = np.bincount(y[held], minlength=4)
    for size, count in zip([30, 101], counts[2:], strict=True):
        assert abs(count - min(fraction * size, size - 1)) <= 1


def test_the_draw_is_seeded_and_every_row_may_go():
    y = np.zeros(10, dtype=np.intp)
    first = hold_out(y, 0.3, np.random.default_rng(1))[1]
    assert np.array_equal(first, hold_out(y, 0.3, np.random.default_rng(1))[1])
    gone = {i for seed in range(60) for i in hold_out(y, 0.3, np.random.default_rng(seed))[1]}
    assert gone == set(range(10))


def test_a_class_without_rows_does_no_harm():
    kept, held = hold_out(np.array([0, 0, 0, 2, 2, 2]), 0.34, np.random.default_rng(0))
    assert len(kept) == 4 and len(held) == 2


def test_ties_go_to_the_largest_alpha():
    assert best_alpha([1e-3, 1.0, 0.1, 10.0], np.array([0.9, 0.9, 0.9, 0.5])) == 1
    assert best_alpha([1e-3, 1.0], np.array([0.91, 0.9])) == 0
