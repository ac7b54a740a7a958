import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.arrays import (
    centred,
    check_squares,
    class_indices,
    common_offset,
    is_dask,
    moved,
)


def test_what_is_a_dask_collection():
    assert is_dask(da.ones(3))
    assert is_dask(dd.from_pandas(pd.DataFrame(np.eye(3)), npartitions=1))
    assert not is_dask(np.eye(3))


def test_centred_is_the_projection_on_rows_that_sum_to_zero():
    rows = np.random.default_rng(0).normal(size=(4, 7))
    T = 7
    assert np.allclose(centred(rows), rows @ (np.eye(T) - 1 / T))
    assert centred(rows.astype(np.float32)).dtype == np.float32


def test_offsets_of_sparse_rows_keep_them_sparse():
    X = np.array([[5.0, 0.0, 1.0], [7.0, 2.0, 3.0]])
    assert common_offset(X).tolist() == [6, 1, 2]
    assert common_offset(csr_matrix(X)).tolist() == [6, 0, 2]
    shifted = moved(csr_matrix(X), common_offset(csr_matrix(X)))
    assert shifted.toarray().tolist() == [[-1, 0, -1], [1, 2, 1]]
    assert moved(X, common_offset(X)).tolist() == [[-1, -1, -1], [1, 1, 1]]
    assert moved(X.astype(np.float32), common_offset(X)).dtype == np.float32


@pytest.mark.parametrize("kind", [np.asarray, csr_matrix])
@pytest.mark.parametrize(
    ("dtype", "factor", "words"),
    [
        (np.float32, 1e19, "overflows float32: scale X down"),
        (np.float32, 1e-25, "underflows float32: scale X up"),
        (np.float64, 1e160, "holds 1e.160, whose square overflows float64"),
        (np.float64, 1e-170, "underflows float64"),
    ],
)
def test_features_whose_squares_have_no_place_are_refused(kind, dtype, factor, words):
    rows = np.array([[1.0, -1.0], [0.0, 0.5]]) * factor
    with pytest.raises(ValueError, match=words):
        check_squares(kind(rows.astype(dtype)))
    check_squares(kind((rows / factor).astype(dtype)))
    check_squares(kind(np.zeros((2, 2), dtype=dtype)))


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([0, 3], r"y holds 3, outside 0\.\.2"),
        ([-1], "y holds -1"),
        ([0.5], "integer class indices"),
        ([[0]], "one-dimensional"),
    ],
)
def test_what_is_no_class_index_is_named(y, words):
    with pytest.raises(ValueError, match=words):
        class_indices(y, 3)
    assert class_indices([2, 0], 3).tolist() == [2, 0]
