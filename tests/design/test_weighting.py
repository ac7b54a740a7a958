import numpy as np

from simplexcoding.design import WeightedKernel
from simplexcoding.rows import Rows


def test_weights_scale_both_sides():
    K = np.array([[2.0, 1.0], [1.0, 3.0]])
    w = np.array([4.0, 9.0])
    kernel = WeightedKernel.of(K.copy(), Rows.labelled(np.array([0, 1]), 2, w), True)
    assert np.allclose(kernel.matrix, np.sqrt(np.outer(w, w)) * K)
