"""Blocks against the slow twin, row for row; the cuts of the stream do not matter."""

import numpy as np
import pytest

from reference.code import recursive_code
from reference.stochastic import stream as slow_stream
from simplexcoding.losses import CATALOGUE, get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.stochastic.learning import Descent, advance
from simplexcoding.solvers.stochastic.stream import Stream


def rows(T=4, n=200, p=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.choice([0.3, 1.0, 3.0], size=(n, 1))
    X[rng.random(X.shape) < 0.4] = 0.0
    y = rng.integers(T, size=n)
    y[:T] = np.arange(T)
    X[np.arange(n), y % p] += 1.0
    return Rows(X, y, T, rng.choice([0.5, 1.0, 3.0], size=n))


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize(("lambda_", "intercept"), [(1e-3, True), (0.3, True), (0.05, False)])
@pytest.mark.parametrize(
    "options",
    [{}, {"plain": True}, {"normalised": True}, {"plain": True, "normalised": True}],
    ids=str,
)
def test_blocks_are_the_row_loop(name, lambda_, intercept, options):
    data = rows()
    loss = get_loss(name).without_hull()
    stream = advance(
        Stream.start(5, 4, lambda_),
        data,
        Descent(loss, intercept=intercept, **options),
        np.arange(200),
    )
    W, mean, s = list(
        slow_stream(loss, data.X, data.y, lambda_, data.weights, intercept=intercept, **options)
    )[-1]
    C = recursive_code(4)
    assert np.allclose(stream.U[0], (C @ W)[:, :-1].T, atol=1e-11)
    assert np.allclose(stream.b[0], s * (C @ W)[:, -1], atol=1e-11)
    assert np.allclose(stream.U_mean[0], (C @ mean)[:, :-1].T, atol=1e-11)
    assert np.allclose(stream.b_mean[0], (C @ mean)[:, -1], atol=1e-11)


@pytest.mark.parametrize("name", CATALOGUE)
def test_one_by_one_by_sevens_or_at_once(name):
    data = rows(seed=1)
    start = Stream.start(5, 4, [1e-4, 1e-2])
    descent = Descent(get_loss(name).without_hull())
    whole = advance(start, data, descent, np.arange(200))
    for size in (1, 7):
        cut = start
        for i in range(0, 200, size):
            cut = advance(cut, data, descent, np.arange(i, min(i + size, 200)))
        assert cut.t == whole.t == 200
        for field in ("U", "b", "U_mean", "b_mean", "means"):
            assert np.allclose(getattr(cut, field), getattr(whole, field), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_iterate_is_within_the_radius(name):
    """One row a call shows each iterate; a large lambda makes the projection work."""
    data = rows(seed=2)
    data = Rows(data.X * 30, data.y, 4)
    loss = get_loss(name).without_hull()
    for lambda_ in (1e-4, 1e-1, 10.0):
        stream = Stream.start(5, 4, lambda_)
        for i in range(200):
            stream = advance(stream, data, Descent(loss), np.array([i]))
            assert stream.penalty(0)[0] <= loss.largest_pull(4) / (2 * lambda_) * (1 + 1e-12)


def test_the_projection_acts_and_can_be_left_out():
    """Short rows of very unequal weights carry the free iterates out of the ball."""
    loss, rng = get_loss("exponential"), np.random.default_rng(0)
    longest = {True: 0.0, False: 0.0}
    for _ in range(8):
        w = 10 ** rng.uniform(-2, 2, size=40)
        data = Rows(0.03 * rng.normal(size=(40, 3)), np.zeros(40, dtype=np.intp), 10, w)
        for project in longest:
            stream = Stream.start(3, 10, 1e-2)
            for i in range(40):
                stream = advance(stream, data, Descent(loss, project=project), np.array([i]))
                square = loss.largest_pull(10) / (2 * 1e-2) * w[: i + 1].mean()
                longest[project] = max(longest[project], stream.penalty(0)[0] / square)
    assert longest[True] <= 1 + 1e-12
    assert longest[False] > 1.05


def test_float32_follows_float64():
    data = rows(seed=3)
    small = Rows(data.X.astype(np.float32), data.y, 4, data.weights)
    descent = Descent(get_loss("logistic"))
    exact = advance(Stream.start(5, 4, 1e-2), data, descent, np.arange(200))
    single = advance(Stream.start(5, 4, 1e-2, np.float32), small, descent, np.arange(200))
    assert single.U.dtype == np.float32
    assert np.allclose(single.U, exact.U, atol=1e-5)


def test_models_of_one_pass_are_those_of_their_own():
    data = rows(seed=4)
    descent = Descent(get_loss("cone"))
    together = advance(Stream.start(5, 4, [1e-3, 1.0]), data, descent, np.arange(200))
    for a, lambda_ in enumerate([1e-3, 1.0]):
        alone = advance(Stream.start(5, 4, lambda_), data, descent, np.arange(200))
        assert np.array_equal(together.U_mean[a], alone.U_mean[0])
