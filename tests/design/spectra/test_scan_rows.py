import numpy as np
import pytest

from simplexcoding.design.spectra.scan_rows import reduce_fits
from tests.reference.scan import reduced_fits


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n_products", [1, 2, 3, 4, 5, 8, 9])
def test_fits_are_reduced_as_if_they_had_been_written_down(n_products, dtype):
    rng = np.random.default_rng(n_products)
    products = rng.normal(size=(n_products, 7, 33)).astype(dtype)
    combine = rng.normal(size=(3, n_products)).astype(dtype)
    base, y = rng.normal(size=7).astype(dtype), rng.integers(7, size=33).astype(np.int32)
    own, others, squares = (np.full((3, 33), np.nan, dtype=dtype) for _ in range(3))
    for first, last in ((0, 20), (20, 33)):
        reduce_fits(products, combine, base, y, own, others, squares, first, last)
    expected = reduced_fits(products, combine, base, y)
    tolerance = 1e-5 if dtype == np.float32 else 1e-12
    for found, wanted in zip((own, others, squares), expected, strict=True):
        assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance)


def test_the_only_class_has_no_others():
    products, one = np.ones((1, 1, 2), dtype=np.float32), np.ones((1, 1), dtype=np.float32)
    own, others, squares = (np.zeros((1, 2), dtype=np.float32) for _ in range(3))
    reduce_fits(products, one, one[0], np.zeros(2, dtype=np.int32), own, others, squares, 0, 2)
    assert own.tolist() == [[2, 2]] and squares.tolist() == [[4, 4]] and (others < -1e38).all()
