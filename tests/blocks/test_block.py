import numpy as np
import pytest
from scipy.sparse import coo_matrix

from simplexcoding.blocks.block import Block, Blocks, checked_block, cut, rows_for


def test_rows_stay_within_bounds():
    assert rows_for(1) == 2**16
    assert rows_for(10**6) == 256
    assert rows_for(0) == 2**16


def test_numbers_become_floats_and_float32_stays():
    assert checked_block(Block([[1, 2]], ["a"]), "b").X.dtype == np.float64
    assert checked_block(Block(np.ones((1, 2), np.float32), ["a"]), "b").X.dtype == np.float32
    assert checked_block(Block(coo_matrix(np.eye(2)), [0, 1]), "b").X.format == "csr"
    assert checked_block(Block(np.eye(2), [[0], [1]]), "b").y.shape == (2,)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (Block([1.0], [0]), "part 7: X must be two-dimensional"),
        (Block([["a"]], [0]), "part 7: X must hold numbers"),
        (Block([[np.nan]], [0]), "part 7: X holds NaN"),
        (Block(coo_matrix([[np.inf]]), [0]), "part 7: X holds NaN or infinity"),
        (Block([[1.0]], [0, 1]), "part 7: y must hold one label for each of the 1 rows"),
        (Block([[1.0]], [np.nan]), "part 7: y holds missing"),
        (Block([[1.0]], np.array([None], dtype=object)), "part 7: y holds missing"),
        (Block([[1.0]], np.array([float("nan")], dtype=object)), "part 7: y holds missing"),
        (Block([[1.0]], [0], [1.0, 2.0]), "part 7: weight must hold one number"),
        (Block([[1.0]], [0], [-1.0]), "part 7: weight must be finite"),
        (Block([[1.0]], [0], [1e40]), "part 7: weight must be at most 1e.30, got 1e.40"),
    ],
)
def test_errors_are_one_line_and_name_the_block(block, message):
    with pytest.raises(ValueError, match="^" + message) as caught:
        checked_block(block, "part 7")
    assert "\n" not in str(caught.value)


def test_a_source_gives_the_blocks_of_its_parts_in_order_every_time():
    class Two:
        name = "two"

        def __iter__(self):
            yield Block(np.eye(1), [0])
            yield Block(np.eye(1), [1])

    source = Blocks([Two(), Two()])
    assert [block.y[0] for block in source] == [block.y[0] for block in source] == [0, 1, 0, 1]


@pytest.mark.parametrize("kind", [np.asarray, coo_matrix])
@pytest.mark.parametrize("width", [0, 1000, 10**6])
def test_long_blocks_are_cut_into_pieces_of_one_length(kind, width):
    rows, y = np.random.default_rng(0).normal(size=(9000, 3)), np.arange(9000)
    block = checked_block(Block(kind(rows), y, 1.0 + y), "b")
    parts = list(cut(block, width))
    sizes = [len(part.y) for part in parts]
    assert max(sizes) <= rows_for(max(width, 3))
    assert max(sizes) - min(sizes) <= 1
    assert np.array_equal(np.concatenate([part.y for part in parts]), y)
    assert np.array_equal(np.concatenate([part.weight for part in parts]), 1.0 + y)
    found = [part.X if kind is np.asarray else part.X.toarray() for part in parts]
    assert np.array_equal(np.concatenate(found), rows)


def test_a_block_of_no_rows_is_a_piece_of_none():
    assert [len(part.y) for part in cut(checked_block(Block(np.eye(2)[:0], []), "b"), 1000)] == [0]
