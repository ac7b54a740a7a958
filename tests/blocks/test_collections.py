import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from reference.blocks import readings, together
from simplexcoding.blocks import from_dask

rng = np.random.default_rng(0)
X = rng.normal(size=(20, 3))
y = rng.integers(3, size=20)


def test_chunks_of_arrays_are_parts_that_travel():
    source = from_dask(da.from_array(X, (6, 3)), da.from_array(y, 6), da.ones(20, chunks=6))
    assert [part.name for part in source.parts] == ["block 0", "block 1", "block 2", "block 3"]
    assert source.n_rows == 20
    for X_, y_, _ in readings(source):
        assert np.array_equal(X_, X)
        assert np.array_equal(y_, y)
    assert next(iter(source)).weight.tolist() == [1.0] * 6


def test_partitions_of_frames_are_parts():
    frame = dd.from_pandas(pd.DataFrame(X, columns=list("abc")).assign(t=y), npartitions=3)
    source = from_dask(frame[["a", "b", "c"]], frame["t"])
    assert source.feature_names == ("a", "b", "c")
    X_, y_, _ = together(source)
    assert np.array_equal(X_, X)
    assert np.array_equal(y_, y)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((X, y), TypeError, "X must be a Dask collection"),
        ((da.from_array(X), y), TypeError, "y must be a Dask collection"),
        (
            (da.from_array(X, (6, 2)), da.from_array(y, 6)),
            ValueError,
            "along its columns; use X.re",
        ),
        (
            (da.from_array(X, (6, 3)), da.from_array(y, 5)),
            ValueError,
            "X and y are cut differently",
        ),
        ((da.from_array(y, 5), da.from_array(y, 5)), ValueError, "X must be two-dimensional"),
        ((da.zeros((0, 3)), da.zeros(0)), ValueError, "X has no rows"),
        (
            (da.from_array(X)[da.from_array(y) > 0], da.from_array(y)),
            ValueError,
            r"X has chunks of unknown size; use X.compute_chunk_sizes\(\)",
        ),
    ],
)
def test_errors(arguments, error, message):
    with pytest.raises(error, match=message):
        from_dask(*arguments)
