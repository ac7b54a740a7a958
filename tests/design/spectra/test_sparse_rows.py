import numpy as np
import pytest
from scipy.sparse import random

from simplexcoding.design.linear_algebra.packed import Packed
from simplexcoding.design.spectra.sparse_rows import sparse_judge, sparse_leverages

rng = np.random.default_rng(0)
X = random(50, 20, 0.2, "csr", random_state=0)
A = rng.normal(size=(20, 30))
Q = A @ A.T
m = rng.normal(size=20)


@pytest.mark.parametrize("p", [20, 19])
def test_leverages_are_quadratic_forms_of_centred_rows(p):
    out, rows, inverse, mean = np.empty(50), X[:, :p].tocsr(), Q[:p, :p], m[:p]
    image, packed = inverse @ mean, Packed.of(inverse).values
    csr = (rows.indptr, rows.indices, rows.data)
    sparse_leverages(*csr, packed, image, mean @ image, out)
    Z = rows.toarray() - mean
    assert np.allclose(out, np.einsum("ij,jk,ik->i", Z, inverse, Z))


def test_hits_and_errors_are_those_of_whole_predictions():
    y, h = rng.integers(3, size=50), rng.uniform(0, 0.9, 50)
    W, b = rng.normal(size=(20, 3)), rng.normal(size=3)
    for free in (True, False):
        hits, squares = np.empty(50, dtype=bool), np.empty(50)
        sparse_judge(X.indptr, X.indices, X.data, y, h, W, b, free, 1e-15, hits, squares)
        E = np.eye(3)[y] - (X @ W + b)
        left_out = np.eye(3)[y] - E / (1 - h)[:, None]
        assert np.array_equal(hits, left_out.argmax(axis=1) == y)
        if free:
            expected = np.square(E).sum(axis=1)
        else:
            expected = np.square(E - E.mean(axis=1, keepdims=True)).sum(axis=1)
        assert np.allclose(squares, expected * 1.5 / (1 - h) ** 2)
