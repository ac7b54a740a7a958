import numpy as np
import pytest

from simplexcoding.design.linear_algebra.products import double_product, product

rng = np.random.default_rng(0)


@pytest.mark.parametrize("left", ["C", "F", "every other"])
@pytest.mark.parametrize("right", ["C", "F", "every other"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_products_of_any_order(left, right, dtype):
    def matrix(n, m, order):
        if order == "every other":
            return rng.normal(size=(2 * n, 2 * m)).astype(dtype)[::2, ::2]
        return np.asarray(rng.normal(size=(n, m)), dtype=dtype, order=order)

    A, B = matrix(7, 5, left), matrix(5, 3, right)
    kept = A.copy(), B.copy()
    found = product(A, B)
    assert found.dtype == dtype and np.allclose(found, A @ B, atol=1e-5)
    assert np.array_equal(A, kept[0]) and np.array_equal(B, kept[1])


def test_products_of_nothing():
    assert product(np.zeros((4, 0)), np.zeros((0, 2))).tolist() == [[0.0, 0.0]] * 4
    assert product(np.zeros((0, 4)), np.zeros((4, 2))).shape == (0, 2)


@pytest.mark.parametrize("n", [1, 255, 256, 600])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_double_products_are_as_exact_as_float64(n, dtype, order):
    K = rng.normal(size=(n, n))
    K = (K + K.T).astype(dtype)
    B = np.asarray(rng.normal(size=(n, 3)), order=order)
    found = double_product(K, B)
    assert found.dtype == np.float64
    assert np.abs(found - K.astype(np.float64) @ B).max() < 1e-11
