import numpy as np
import pytest
from scipy.sparse import csr_array

from simplexcoding.persistence.array_specs import Array, Csr
from simplexcoding.persistence.refusal import Refusal
from simplexcoding.persistence.stored import Sizes, Stored


def there_and_back(spec, value):
    out = Stored()
    code = spec.write(value, out)
    return spec.read(code, Stored(out.arrays))


@pytest.mark.parametrize(
    ("spec", "array"),
    [
        (Array("f", "n T"), np.arange(6.0).reshape(2, 3)),
        (Array("f", "n"), np.zeros(3, dtype=np.float32)),
        (Array("f", "n", finite=False), np.array([np.nan, np.inf])),
        (Array("i", "n", low=0), np.arange(4, dtype=np.intp)),
        (Array("b", "n"), np.array([True, False])),
        (Array("f", "0"), np.zeros(0)),
    ],
)
def test_arrays_come_back_with_shape_and_dtype(spec, array):
    found = there_and_back(spec, array)
    np.testing.assert_array_equal(found, array)
    assert found.dtype == array.dtype


@pytest.mark.parametrize(
    ("spec", "array", "text"),
    [
        (Array("f", "n"), np.arange(3), "array of int64, expected floats"),
        (Array("i", "n"), np.arange(3.0), "array of float64, expected integers"),
        (Array("b", "n"), np.arange(3), "array of int64, expected truth values"),
        (Array("f", "n"), np.zeros(3, dtype=np.float16), "array of float16"),
        (Array("f", "n T"), np.zeros(3), r"has shape \(3,\), expected \(n, T\)"),
        (Array("f", "p"), np.zeros(3), "has length 3 where p = 4"),
        (Array("f", "n"), np.array([1.0, np.nan]), "not finite"),
        (Array("f", "n", low=0), np.array([1.0, -1.0]), "outside"),
        (Array("f", "n", low=0, finite=False), np.array([np.nan, -1.0]), "outside"),
        (Array("i", "n", low=0, below="p"), np.array([0, 4]), r"outside \[0, 3\]"),
        (Array("i", "n", low=0, below="p"), np.array([0, -1]), r"outside \[0, 3\]"),
        (Array("i", "n", below="q"), np.array([0]), "before what tells q"),
        (Array("b", "n"), np.array([0, 2], dtype=np.uint8).view(bool), "no truth values"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_both_ways(spec, array, text):
    with pytest.raises(Refusal, match=text):
        spec.write(array, Stored(sizes=Sizes({"p": 4})))
    with pytest.raises(Refusal, match=text):
        spec.read(0, Stored([array], Sizes({"p": 4})))


def test_sparse_rows_come_back():
    X = csr_array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    found = there_and_back(Csr("n p"), X)
    np.testing.assert_array_equal(found.toarray(), X.toarray())


@pytest.mark.parametrize(
    ("data", "indices", "indptr", "text"),
    [
        ([1.0, 2.0], [0, 3], [0, 1, 2], "indices out of range"),
        ([1.0, 2.0], [0, -1], [0, 1, 2], "indices out of range"),
        ([1.0, 2.0], [0, 1], [0, 1], "rows do not cover"),
        ([1.0, 2.0], [0, 1], [0, 5, 2], "indices out of range"),
        ([1.0, 2.0], [0, 1], [1, 1, 2], "rows do not cover"),
        ([1.0, 2.0], [0, 1], [0, 1, 3], "rows do not cover"),
        ([1.0, np.nan], [0, 1], [0, 1, 2], "not finite"),
        ([1.0], [0, 1], [0, 1, 2], "no sparse matrix of numbers"),
        ([1, 2], [0, 1], [0, 1, 2], "no sparse matrix of numbers"),
    ],
)
def test_sparse_indices_are_checked_before_compiled_code_follows_them(data, indices, indptr, text):
    arrays = [np.array(part) for part in (data, indices, indptr)]
    with pytest.raises(Refusal, match=text):
        Csr("n p").read([[2, 3], 0, 1, 2], Stored(arrays))


@pytest.mark.parametrize("code", [None, [], [[2], 0, 1, 2], [[2, "3"], 0, 1, 2], [1, 0, 1, 2]])
def test_a_sparse_matrix_has_four_parts(code):
    with pytest.raises(Refusal, match="is no sparse matrix"):
        Csr("n p").read(code, Stored([np.zeros(1)] * 3))
