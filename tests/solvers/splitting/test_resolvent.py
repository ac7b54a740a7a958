import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding.solvers.splitting.resolvent import Features, Gram

rng = np.random.default_rng(0)


@pytest.mark.parametrize("n", [1, 255, 256, 600])
def test_gram_resolvent_solves_its_problem(n):
    X = rng.normal(size=(n, 5))
    K = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    before = K.copy()
    Q = rng.normal(size=(n, 3))
    S, rest = Gram(K).resolvent(2.5, np.float64).split(Q)
    assert np.allclose(S, 2.5 * K @ np.linalg.solve(np.eye(n) + 2.5 * K, Q), atol=1e-10)
    # S = K B with B = rho (Q - S): the coefficients need no solve of their own.
    assert np.allclose(K @ (2.5 * rest), S, atol=1e-9)
    assert np.allclose(S + rest, Q)
    assert np.array_equal(K, before)
    low = Gram(K).resolvent(2.5, np.float32)
    assert low.dtype == np.float32
    assert np.allclose(low.split(Q.astype(np.float32))[0], S, atol=1e-4)
    rounded = Gram(K).resolvent(2.5, np.float32, np.float64)
    assert np.array_equal(
        rounded.inverse, Gram(K).resolvent(2.5, np.float64).inverse.astype(np.float32)
    )


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_features_agree_with_their_gram_matrix(form):
    X = rng.normal(size=(40, 6))
    X[:, 5] = X[:, 0]  # a direction of length zero
    thin, square = Features(form(X)), Gram(X @ X.T)
    Q, B = rng.normal(size=(2, 40, 3))
    ours = thin.resolvent(0.7, np.float64).split(Q)
    assert np.allclose(ours, square.resolvent(0.7, np.float64).split(Q))
    assert np.allclose(thin.scores(B), square.scores(B))
    largest = np.linalg.eigvalsh(X @ X.T)[-1]
    assert thin.largest() == pytest.approx(largest)
    assert square.largest() == pytest.approx(largest, rel=0.2)
    assert thin.mean_diagonal() == pytest.approx(square.mean_diagonal())
    for chosen in (np.arange(0, 40, 2), np.arange(4)):
        assert np.allclose(
            thin.rows(chosen).scores(B[chosen]), square.rows(chosen).scores(B[chosen])
        )


def test_a_kernel_that_is_none_is_named():
    with pytest.raises(ValueError, match="kernel must be positive semi-definite"):
        Gram(-10 * np.eye(3)).resolvent(1.0, np.float64)
