import os
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix, csr_matrix

from reference.blocks import readings, together
from simplexcoding.blocks import from_arrays

rng = np.random.default_rng(0)
X = rng.normal(size=(23, 3))
y = rng.integers(4, size=23)
w = rng.uniform(size=23)


class Sliceable:
    """What zarr and h5py have in common."""

    def __init__(self, values):
        self._values, self.shape = values, values.shape

    def __getitem__(self, key):
        assert isinstance(key, slice)
        return self._values[key]


def mapped(folder, values):
    np.save(folder / "X.npy", values)
    return np.load(folder / "X.npy", mmap_mode="r")


FORMS = {
    "array": np.asarray,
    "list": np.ndarray.tolist,
    "fortran": np.asfortranarray,
    "csr": csr_matrix,
    "coo": coo_matrix,
    "frame": pd.DataFrame,
    "sliceable": Sliceable,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_blocks_hold_every_row_once_and_parts_travel(form):
    source = from_arrays(form(X), y, w, rows=5)
    assert source.n_rows == 23
    assert len(source.parts) == 5
    for X_, y_, w_ in readings(source):
        assert np.array_equal(X_, X)
        assert np.array_equal(y_, y)
        assert np.array_equal(w_, w)


@given(rows=st.integers(1, 40))
def test_any_cutting_gives_the_same_rows(rows):
    source = from_arrays(X, y, rows=rows)
    X_, y_, w_ = together(source)
    assert np.array_equal(X_, X)
    assert np.array_equal(y_, y)
    assert w_ is None
    assert max(len(block.y) for block in source) <= rows


@pytest.mark.parametrize("order", "CF")
def test_a_part_of_a_memmap_travels_as_the_name_of_its_file(tmp_path, order):
    big = np.require(rng.normal(size=(1000, 50)), requirements=order)
    part = from_arrays(mapped(tmp_path, big), np.zeros(1000), rows=500).parts[1]
    sent = pickle.dumps(part)
    assert len(sent) < 10_000
    (block,) = pickle.loads(pickle.loads(pickle.dumps(pickle.dumps(pickle.loads(sent)))))
    assert np.array_equal(block.X, big[500:])


CUTS = {
    "rows": lambda X: X[100:900],
    "rows of rows": lambda X: X[100:][7:803],
    "turned": lambda X: X.T[10:40],
    "turned whole": lambda X: X.T,
}


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("order", "CF")
def test_a_slice_of_a_memmap_is_read_from_its_own_place(tmp_path, cut, order):
    """By name where its rows lie together in the file, else with the rows."""
    big = np.require(rng.normal(size=(1000, 50)), requirements=order)
    rows, expected = cut(mapped(tmp_path, big)), cut(big)
    parts = from_arrays(rows, np.zeros(len(rows)), rows=11).parts
    sent = pickle.dumps(parts[1])
    together_in_file = rows.flags.c_contiguous or rows.flags.f_contiguous
    assert (len(sent) < 1500) == together_in_file
    for part in (parts[1], pickle.loads(sent)):
        (block,) = part
        assert np.array_equal(block.X, expected[11:22])


def test_a_file_with_a_head_is_read_behind_it(tmp_path):
    big = rng.normal(size=(30, 4))
    (tmp_path / "raw").write_bytes(b"head" * 4 + big.tobytes())
    rows = np.memmap(tmp_path / "raw", np.float64, "r", offset=16, shape=(30, 4))[5:]
    (block,) = pickle.loads(pickle.dumps(from_arrays(rows, np.zeros(25), rows=10).parts[2]))
    assert np.array_equal(block.X, big[25:])


def test_a_block_may_be_written_to_and_its_file_is_not(tmp_path):
    rows = mapped(tmp_path, X)
    (block,) = from_arrays(rows, y)
    block.X[:] = 0
    assert np.array_equal(rows, X)
    assert np.array_equal(next(iter(from_arrays(rows, y))).X, X)


def test_private_pages_are_read_as_they_were_written_to(tmp_path):
    np.save(tmp_path / "X.npy", X)
    private = np.load(tmp_path / "X.npy", mmap_mode="c")
    private[0] = 7
    (block, *_) = from_arrays(private, y)
    assert np.all(block.X[0] == 7)


def test_frames_give_names():
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    assert from_arrays(frame, pd.Series(y)).feature_names == ("a", "b", "c")
    assert from_arrays(X, y).feature_names is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, y[:5]), "X and y must be of one length, got 23 and 5 rows"),
        ((X, y, w[:5]), "X and weights must be of one length"),
        ((y, y), "X must be two-dimensional"),
        ((X, y, w, 0), "rows must be a positive integer or None, got 0"),
    ],
)
def test_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        from_arrays(*arguments)


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs /proc")
def test_reading_a_memmap_holds_no_more_than_a_block(tmp_path):
    """Pages of a mapping count as memory of the process until they are let go."""
    import subprocess
    import sys

    np.save(tmp_path / "X.npy", np.zeros((1_000_000, 16)))
    code = (
        "import sys, numpy as np\n"
        "from simplexcoding.blocks import from_arrays\n"
        "X = np.load(sys.argv[1], mmap_mode='r')\n"
        "def peak(): return int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
        "before = peak()\n"
        "for rows in X, X[:999_000]:\n"
        "    for block in from_arrays(rows, np.zeros(len(rows)), rows=10_000): block.X.sum()\n"
        "print((peak() - before) / 2**10)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "X.npy")],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    # The file has 122 MiB, a block 1.2, the labels 8.
    assert float(done.stdout) < 40
