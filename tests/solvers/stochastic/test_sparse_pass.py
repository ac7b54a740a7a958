import numpy as np
import pytest
import scipy.sparse as sp

from simplexcoding.losses import CATALOGUE, get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.stochastic.learning import Descent, advance
from simplexcoding.solvers.stochastic.stream import Stream
from solvers.stochastic.test_dense_pass import rows


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize(
    ("lambda_", "plain"), [(1e-4, False), (1.0, False), (0.05, True), (1.0, True)]
)
def test_sparse_is_dense(name, lambda_, plain):
    """Over 3000 rows the scales are folded several times.

    Long plain steps, at small lambda, take rounding errors apart: there nothing can agree.
    """
    data = rows(seed=5)
    order = np.arange(3000) % 200
    descent = Descent(get_loss(name).without_hull(), plain=plain)
    start = Stream.start(5, 4, [lambda_, 10 * lambda_])
    dense = advance(start, data, descent, order)
    sparse = advance(start, Rows(sp.csr_matrix(data.X), data.y, 4, data.weights), descent, order)
    for field in ("U", "b", "U_mean", "b_mean", "means"):
        one, other = getattr(sparse, field), getattr(dense, field)
        assert np.allclose(one, other, rtol=0, atol=(1e-8 if plain else 1e-11))


def test_repeated_entries_are_summed():
    X = sp.csr_matrix(np.array([[3.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    twice = sp.csr_matrix(
        (np.array([1.0, 2.0, 1.0, 1.0, 1.0]), [0, 0, 1, 0, 1], [0, 2, 3, 5]), shape=(3, 2)
    )
    y, descent = np.array([0, 1, 2]), Descent(get_loss("cone"))
    one = advance(Stream.start(2, 3, 0.1), Rows(X, y, 3), descent, np.arange(3))
    other = advance(Stream.start(2, 3, 0.1), Rows(twice, y, 3), descent, np.arange(3))
    assert np.allclose(one.U, other.U)
    assert twice.nnz == 5


def test_ten_million_steps_neither_under_nor_overflow():
    rng = np.random.default_rng(0)
    X = np.vstack([np.eye(3), -np.eye(3)]) * 1e-2
    y = np.array([0, 1, 2, 1, 2, 0])
    order = rng.integers(6, size=10_000_000)
    descent = Descent(get_loss("least_squares"), intercept=False)
    stream = advance(Stream.start(3, 3, 0.1), Rows(sp.csr_matrix(X), y, 3), descent, order)
    assert stream.t == 10_000_000
    # The minimiser of mean ||c_y - W x||^2 + lambda ||W||^2, in scores.
    Y = (3 * np.eye(3)[y] - 1) / 2
    share = np.bincount(order, minlength=6) / len(order)
    A = (X * share[:, None]).T @ X + 0.1 * np.eye(3)
    best = np.linalg.solve(A, (X * share[:, None]).T @ Y)
    assert np.allclose(stream.U_mean[0], best, rtol=1e-3, atol=1e-3 * abs(best).max())
