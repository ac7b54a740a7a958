import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.design.operators import Gram, Spectral, kernel_data

rng = np.random.default_rng(0)


ones = np.ones(3)


@pytest.mark.parametrize("n", [1, 255, 256, 600])
def test_gram_resolvent_solves_its_problem(n):
    X = rng.normal(size=(n, 5))
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    before = K.copy()
    Q = rng.normal(size=(n, 3))
    resolvent = Gram(K).resolvent(2.5, np.float64)
    expected = 2.5 * K @ np.linalg.solve(np.eye(n) + 2.5 * K, Q)
    S, rest = resolvent.split(Q, 2.5 * ones)
    assert np.allclose(S, expected, atol=1e-10)
    # S = K B with B = rho (Q - S): the coefficients need no solve of their own.
    assert np.allclose(K @ (2.5 * rest), S, atol=1e-9)
    assert np.allclose(S + rest, Q)
    assert np.array_equal(K, before)
    for deflated in (False, True):
        low = Gram(K).resolvent(2.5, np.float32, deflated)
        S, rest = low.split(Q.astype(np.float32), 2.5 * ones)
        assert S.dtype == np.float32
        assert rest.dtype == (np.float64 if deflated else np.float32)
        assert np.allclose(S, expected, atol=1e-4)


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_features_agree_with_their_gram_matrix(form):
    X = rng.normal(size=(40, 6))
    X[:, 5] = X[:, 0]  # a direction of length zero
    thin, square = Spectral.of_features(form(X)), Gram(X @ X.T)
    Q, B = rng.normal(size=(2, 40, 3))
    # One resolvent of features serves every penalty, column by column.
    ours = thin.resolvent(99.0, np.float64).split(Q, np.array([0.7, 0.7, 5.0]))
    for columns, rho in ((slice(2), 0.7), (slice(2, 3), 5.0)):
        theirs = square.resolvent(rho, np.float64).split(Q[:, columns], rho * ones)
        assert np.allclose([part[:, columns] for part in ours], theirs)
    assert np.allclose(thin.scores(B), square.scores(B))
    largest = np.linalg.eigvalsh(X @ X.T)[-1]
    assert thin.largest() == pytest.approx(largest)
    assert square.largest() == pytest.approx(largest, rel=0.2)
    assert thin.mean_diagonal() == pytest.approx(square.mean_diagonal())
    assert thin.projection(500) is None


def test_a_projection_on_every_row_is_the_kernel():
    X = rng.normal(size=(50, 4))
    K = np.exp(-0.3 * ((X[:, None] - X) ** 2).sum(axis=2))
    B = rng.normal(size=(50, 2))
    assert np.allclose(Gram(K).projection(500).scores(B), K @ B)


def test_a_small_kernel_is_held_by_its_eigenvectors_and_a_large_one_whole():
    X = rng.normal(size=(601, 4))
    K = X @ X.T
    B = rng.normal(size=(600, 2))
    small = kernel_data(K[:600, :600])
    assert small.any_penalty and np.allclose(small.scores(B), K[:600, :600] @ B)
    assert isinstance(kernel_data(K), Gram)
    with pytest.raises(ValueError, match="semi-definite, got a matrix K with an eigenvalue of -3"):
        kernel_data(np.diag([1.0, -3.0]))


def test_a_kernel_that_is_none_is_named():
    with pytest.raises(ValueError, match="kernel must be positive semi-definite"):
        Gram(-10 * np.eye(3)).resolvent(1.0, np.float64)


@pytest.mark.parametrize("kind", ["gram", "features", "kernel"])
def test_parts_and_entries_are_those_of_the_matrix(kind):
    X = np.random.default_rng(0).normal(size=(40, 5))
    K = X @ X.T
    made = {"gram": Gram(K), "features": Spectral.of_features(X), "kernel": Spectral.of_kernel(K)}
    data, rows, B = (
        made[kind],
        np.arange(40) % 3 == 0,
        np.random.default_rng(1).normal(size=(14, 3)),
    )
    some = np.flatnonzero(rows)
    assert np.allclose(data.among(some, some[:4]), K[np.ix_(some, some[:4])])
    part = data.part(rows)
    assert np.allclose(part.scores(B), K[np.ix_(rows, rows)] @ B)
    weights = part.feature_weights(B)
    assert (weights is None) == (kind != "features")
    assert weights is None or np.allclose(weights, X[rows].T @ B)
