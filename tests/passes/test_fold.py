import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simplexcoding.blocks import Block, Blocks, from_arrays, from_loader
from simplexcoding.blocks.block import rows_for
from simplexcoding.passes import checkpoint as checkpoints
from simplexcoding.passes.checkpoint import Checkpoint
from simplexcoding.passes.fold import Sums, added, fold, fold_part, tree


class Term:
    """A sum that remembers how it was bracketed."""

    n_rows = 1

    def __init__(self, text):
        self.text = text

    def __add__(self, other):
        return Term(f"({self.text}+{other.text})")


class Several:
    name = "several"

    def __init__(self, labels):
        self.labels = labels

    def __iter__(self):
        for label in self.labels:
            yield Block(np.eye(1), [label])


def leaf(block, name):
    return Term(str(block.y[0]))


@settings(max_examples=50, deadline=None)
@given(n=st.integers(1, 600))
def test_a_tree_of_tasks_adds_as_the_running_sums_do(n):
    sums = Sums()
    for k in range(n):
        sums.push(Term(str(k)))
    total = sums.total().text
    assert tree([Term(str(k)) for k in range(n)], added).text == total
    assert [int(k) for k in total.replace("(", "").replace(")", "").split("+")] == list(range(n))
    assert total.count("(") == n - 1
    assert len(sums.levels) <= 1 + np.log(n) / np.log(8)


def test_no_states_add_nothing():
    assert Sums().total() is None
    sums = Sums()
    for state in (None, Term("a"), None):
        sums.push(state)
    assert sums.total().text == "a"


def test_parts_and_blocks_are_read_in_order():
    source = Blocks([Several("ab"), Several(""), Several("c")])
    assert fold(source, leaf).text == "((a+b)+c)"
    assert fold_part(Several(""), leaf) is None


def test_no_rows_at_all_are_refused():
    with pytest.raises(ValueError, match="blocks gave no rows"):
        fold(Blocks([Several("")]), leaf)


def test_blocks_are_checked_and_named():
    X = np.ones((5, 1))
    X[3] = np.nan
    with pytest.raises(ValueError, match=r"rows 2..3: X holds NaN"):
        fold(from_arrays(X, np.zeros(5), rows=2), leaf)


class Killed(Exception):
    pass


@settings(max_examples=12, deadline=None)
@given(kill=st.integers(0, 11))
def test_killed_at_any_block_it_goes_on_and_ends_the_same(kill, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    source = Blocks([Several("abc"), Several("defg"), Several(""), Several("hijkl")])
    whole = fold(source, leaf).text
    read = []

    def dying(block, name):
        if len(read) == kill:
            raise Killed
        read.append(block)
        return leaf(block, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "INTERVAL", 0.0)
        with pytest.raises(Killed):
            fold(source, dying, Checkpoint(folder, "fit"), "moments")
        first = len(read)
        again = []

        def counting(block, name):
            again.append(block)
            return leaf(block, name)

        assert fold(source, counting, Checkpoint(folder, "fit"), "moments").text == whole
    assert first + len(again) == 12


@settings(max_examples=20, deadline=None)
@given(kill=st.integers(0, 7), width=st.sampled_from([0, 2**13, 2**14]))
def test_long_blocks_come_in_pieces_and_a_killed_pass_goes_on_between_them(
    kill, width, tmp_path_factory
):
    """Blocks of 1,500 and 700 rows in pieces that leave room for what is made of a row."""
    folder = tmp_path_factory.mktemp("saved")
    blocks = [(np.ones((n, 1)), np.arange(n)) for n in (1500, 700, 0, 10)]
    source, read = from_loader(blocks), []

    class Wide:
        def __init__(self, width, dies_at=None):
            self.width, self.dies_at = width, dies_at

        def __call__(self, block, name):
            if len(read) == self.dies_at:
                raise Killed
            read.append(len(block.y))
            return Term(f"{name}: {len(block.y)} from {block.y[:1]}")

    whole = fold(source, Wide(width)).text
    sizes, read[:] = read.copy(), []
    assert sum(sizes) == 2210
    assert max(sizes) <= rows_for(max(width, 1))
    assert len(sizes) == {0: 4, 2**13: 3 + 2 + 2, 2**14: 6 + 3 + 2}[width]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoints, "INTERVAL", 0.0)
        try:
            fold(source, Wide(width, kill), Checkpoint(folder, "fit"), "moments")
        except Killed:
            assert fold(source, Wide(width), Checkpoint(folder, "fit"), "moments").text == whole
    assert read == sizes
