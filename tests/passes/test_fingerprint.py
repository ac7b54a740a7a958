import subprocess
import sys

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.blocks import Blocks, from_arrays, from_loader, from_parquet
from simplexcoding.passes.fingerprint import fingerprint, in_full

X, y = np.arange(12.0).reshape(6, 2), np.arange(6) % 2


def test_a_value_is_told_in_full():
    long = np.linspace(0, 1, 5000)
    changed = long.copy()
    changed[2500] += 1e-12
    values = [
        long, changed, long.astype(np.float32), long.tolist(), changed.tolist(), 1, 1.0, "1",
        None, True, [1, 2], [12], {"a": long}, {"a": changed}, np.array(["a", None], dtype=object),
        csr_matrix(X), X, len, np.mean, np.random.RandomState(0), np.random.RandomState(1),
    ]  # fmt: skip
    assert len({in_full(value) for value in values}) == len(values)
    assert in_full(long) == in_full(long.copy())
    assert in_full(np.random.RandomState(0)) == in_full(np.random.RandomState(0))


def test_another_process_tells_the_same():
    code = (
        "import numpy as np\n"
        "from simplexcoding.blocks import from_arrays\n"
        "from simplexcoding.passes.fingerprint import fingerprint\n"
        "X, y = np.arange(12.0).reshape(6, 2), np.arange(6) % 2\n"
        "print(fingerprint(from_arrays(X, y, rows=2), {'scoring': np.mean, 'weight': {'a': 1}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own = fingerprint(from_arrays(X, y, rows=2), {"scoring": np.mean, "weight": {"a": 1}})
    assert done.stdout.strip() == own


def test_the_last_part_and_files_are_seen(tmp_path):
    pd = pytest.importorskip("pandas")
    changed = X.copy()
    changed[-1, 0] = 9
    one, two = (fingerprint(from_arrays(rows, y, rows=2), {}) for rows in (X, changed))
    assert one != two
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(y=y)
    seen = set()
    for middle in (4.0, 5.0):
        frame.loc[2, "a"] = middle
        frame.to_parquet(tmp_path / "t.parquet", row_group_size=2)
        seen.add(fingerprint(from_parquet(tmp_path / "t.parquet", "y"), {}))
    assert len(seen) == 2


def test_sources_of_no_rows_have_one_too():
    assert fingerprint(Blocks([]), {}) != fingerprint(from_loader([]), {})
