import numpy as np
from scipy.sparse import csr_matrix

from simplexcoding.arrays import centred, common_offset, moved


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
