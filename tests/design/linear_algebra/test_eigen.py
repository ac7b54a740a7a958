import numpy as np
import pytest

from simplexcoding.design.linear_algebra import eigen
from simplexcoding.design.linear_algebra.eigen import largest_eigenvalue, symmetric_eigen

A = np.random.default_rng(0).normal(size=(6, 3))
S = A @ A.T


def rebuilt(values, vectors):
    return (vectors * values) @ vectors.T


def test_rebuilds_the_matrix_with_no_negative_eigenvalue():
    values, vectors = symmetric_eigen(S)
    assert np.allclose(rebuilt(values, vectors), S)
    assert values.min() >= 0 and np.all(np.diff(values) >= 0)


def fails(*args, **kwargs):
    raise np.linalg.LinAlgError("no convergence")


@pytest.mark.parametrize("both", [False, True])
def test_another_way_is_tried_where_a_driver_fails(monkeypatch, both):
    monkeypatch.setattr(np.linalg, "eigh", fails)
    if both:
        monkeypatch.setattr(eigen, "eigh", fails)
    values, vectors = symmetric_eigen(S)
    assert np.allclose(rebuilt(values, vectors), S)
    assert np.all(np.diff(values) >= -1e-12)


def test_overflow_is_named():
    with pytest.raises(ValueError, match=r"overflows.*scale X down"):
        symmetric_eigen(np.full((2, 2), np.inf))


@pytest.mark.parametrize("n_rows", [2, 5, 60, 400])
def test_the_largest_eigenvalue_is_right_to_some_four_digits(n_rows):
    X = np.random.default_rng(n_rows).normal(size=(n_rows, 5))
    for K in (X @ X.T, np.exp(-0.1 * np.square(X[:, None] - X).sum(axis=2))):
        found = largest_eigenvalue(K, np.ones(n_rows))
        assert found[0] == pytest.approx(np.linalg.eigvalsh(K)[-1], rel=1e-3)


@pytest.mark.parametrize("unit", [1e-36, 1e36], ids=str)
def test_the_largest_eigenvalue_does_not_depend_on_the_unit(unit):
    """ARPACK squares lengths, and those of 1e36 leave the range of float32."""
    X = np.random.default_rng(0).normal(size=(30, 5)).astype(np.float32)
    K = X @ X.T
    expected = unit * np.linalg.eigvalsh(K.astype(float))[-1]
    found = largest_eigenvalue(np.float32(unit) * K, np.float32(unit) * np.ones(30, np.float32))
    assert found[0] == pytest.approx(expected, rel=1e-3)
    assert largest_eigenvalue(np.zeros((3, 3)), np.ones(3)).tolist() == [0]
