import numpy as np

from simplexcoding.arrays import centred


def test_centred_is_the_projection_on_rows_that_sum_to_zero():
    rows = np.random.default_rng(0).normal(size=(4, 7))
    T = 7
    assert np.allclose(centred(rows), rows @ (np.eye(T) - 1 / T))
    assert centred(rows.astype(np.float32)).dtype == np.float32
