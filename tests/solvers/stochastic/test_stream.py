import numpy as np

from simplexcoding.losses import get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.stochastic.learning import Descent, advance
from simplexcoding.solvers.stochastic.stream import PERIOD, Stream


def taught(T=3, n=150):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 4)), rng.integers(T, size=n)
    descent = Descent(get_loss("cone"))
    return advance(Stream.start(4, T, [1e-2, 1.0]), Rows(X, y, T), descent, np.arange(n)), X


def test_a_new_class_enters_at_zero_and_moves_no_other():
    stream, X = taught()
    wide = stream.widen(1)
    for period in (0, PERIOD):
        (U, b), (V, c) = stream.weights(period), wide.weights(period)
        assert np.array_equal(X @ V[0] + c[0], np.insert(X @ U[0] + b[0], 1, 0.0, axis=1))
    assert wide.t == stream.t and wide.n_classes == 4


def test_copies_share_nothing_and_parts_keep_their_model():
    stream, _ = taught()
    other = stream.copy()
    other.U[:] = 7.0
    assert not np.any(stream.U == 7.0)
    assert np.array_equal(stream.only(1).U[0], stream.U[1])
    assert stream.only(1).lambdas.tolist() == [1.0]
    spread = stream.only(0).spread([0.1, 0.2, 0.3])
    assert spread.U.shape == (3, 4, 3) and np.array_equal(spread.U[2], stream.U[0])
    assert spread.lambdas.tolist() == [0.1, 0.2, 0.3]


def test_penalty_is_the_norm_in_code_coordinates():
    from simplexcoding import SimplexCode

    stream, _ = taught()
    U, b = stream.weights(PERIOD)
    whole = np.vstack([U[0], b[0] / stream.column()])
    W = 2 / 3 * SimplexCode(3).pull_back(whole)
    assert np.isclose(stream.penalty(PERIOD)[0], np.sum(W**2))


def test_the_last_iterate_answers_until_the_average_begins():
    stream, _ = taught(n=PERIOD - 1)
    assert stream.weights(PERIOD)[0] is stream.U
    stream, _ = taught(n=PERIOD)
    assert stream.weights(PERIOD)[0] is stream.U_mean
    assert np.array_equal(stream.U, stream.U_mean)
