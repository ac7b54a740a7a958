import numpy as np
import pytest

from simplexcoding.design.linear_algebra import deflation
from simplexcoding.design.linear_algebra.deflation import DeflatedInverse, Leading
from simplexcoding.design.operators import Gram

rng = np.random.default_rng(0)


def kernel(n=400, gamma=0.05):
    X = rng.normal(size=(n, 5))
    return np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=2))


@pytest.fixture(autouse=True)
def fifty_directions_of_400_rows(monkeypatch):
    monkeypatch.setattr(deflation, "_ROWS_PER_DIRECTION", 8)


def test_what_is_left_is_small_and_not_negative():
    K = kernel()
    leading = Leading.of(K)
    assert np.allclose(leading.V.T @ leading.V, np.eye(len(leading.s)), atol=1e-9)
    left = np.linalg.eigvalsh(K - (leading.V * leading.s) @ leading.V.T)
    largest = np.linalg.eigvalsh(K)
    # Fifty directions: as good as the best of their number to a small factor.
    assert left[0] > -1e-9 and left[-1] < 5 * largest[-51]
    assert leading.remainder(K) == pytest.approx(left[-1], rel=0.3)


@pytest.mark.parametrize("rho", [10.0, 1e3, 1e5])
def test_scores_of_the_rest_keep_their_digits_in_float32(rho):
    K = kernel()
    Q = rng.normal(size=(400, 3)).astype(np.float32)
    exact = np.linalg.solve(np.eye(400) + rho * K, Q.astype(np.float64))

    def error(deflated):
        rest = Gram(K).resolvent(rho, np.float32, deflated).split(Q, np.full(3, rho))[1]
        return np.linalg.norm(K @ (rest - exact)) / np.linalg.norm(K @ exact)

    assert error(True) < error(False) / 20
    # What float32 loses is told by the remainder alone.
    assert error(True) < 1e-6 + rho * Leading.of(K).remainder(K) * np.finfo(np.float32).eps


@pytest.mark.parametrize("n", [1, 2, 9])
def test_few_rows_and_kernels_of_low_rank(n):
    X = rng.normal(size=(n, 1))
    K = X @ X.T
    Q = rng.normal(size=(n, 2)).astype(np.float32)
    S, rest = Gram(K).resolvent(50.0, np.float32, True).split(Q, np.full(2, 50.0))
    exact = np.linalg.solve(np.eye(n) + 50 * K, Q)
    assert np.allclose(rest, exact, atol=1e-5) and np.allclose(S, Q - exact, atol=1e-5)


def test_a_kernel_of_zeros_has_nothing_leading():
    leading = Leading.of(np.zeros((20, 20)))
    assert leading.remainder(np.zeros((20, 20))) == 0.0 and not len(leading.s)


def test_a_kernel_that_is_none_is_named():
    with pytest.raises(ValueError, match="kernel must be positive semi-definite"):
        Gram(-10 * np.eye(30)).resolvent(1.0, np.float32, True)


@pytest.mark.parametrize("alpha", [1.0, 1e-3])
def test_an_inverse_and_its_diagonal_from_that_of_the_remainder(alpha):
    K = kernel()
    leading = Leading.of(K, 10)
    assert leading.V.shape == (400, 10)
    remainder = np.empty_like(K, order="F")
    leading.fill_remainder(K, remainder)
    remainder = np.tril(remainder) + np.tril(remainder, -1).T
    assert np.allclose(remainder, K - (leading.V * leading.s) @ leading.V.T, atol=1e-12)
    Y = rng.normal(size=(400, 3))
    rest = np.linalg.inv(remainder + alpha * np.eye(400))
    ours = DeflatedInverse(leading, lambda Q: rest @ Q)
    inverse = np.linalg.inv(K + alpha * np.eye(400))
    assert np.allclose(ours.apply(Y), inverse @ Y, rtol=1e-7, atol=1e-7 / alpha)
    diagonal = np.diagonal(rest) - np.square(ours.taken).sum(axis=1)
    assert np.allclose(diagonal, np.diagonal(inverse), rtol=1e-6)


def test_the_leading_part_of_a_float32_kernel_is_made_in_double_precision():
    K = kernel()
    single = K.astype(np.float32)
    leading = Leading.of(single, 10)
    for values, out in ((single, np.float32), (K, np.float32)):
        part = Leading.of(values, 10)
        remainder = np.empty(K.shape, out, order="F")
        part.fill_remainder(values, remainder)
        left = values.astype(np.float64) - (part.V * part.s) @ part.V.T
        assert np.linalg.eigvalsh(left)[0] > -1e-5
        assert np.abs(np.tril(remainder - left)).max() < 2e-7
    assert leading.s[0] == pytest.approx(Leading.of(K, 10).s[0], rel=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_part_among_some_rows_leaves_nothing_negative(dtype):
    K = kernel()
    rows = np.arange(0, 400, 3)
    whole = Leading.of(K.astype(dtype), 20)
    part = whole.of_rows(rows)
    assert np.allclose(part.V.T @ part.V, np.eye(len(part.s)), atol=1e-9)
    block = (whole.V * whole.s) @ whole.V.T
    assert np.allclose((part.V * part.s) @ part.V.T, block[np.ix_(rows, rows)], atol=1e-5)
    left = np.linalg.eigvalsh(K[np.ix_(rows, rows)] - (part.V * part.s) @ part.V.T)
    assert left[0] > -1e-4 * K[0, 0] and left[-1] < 0.1 * np.linalg.eigvalsh(K)[-1]
