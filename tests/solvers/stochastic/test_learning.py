"""The objective against an interior-point optimum, the order of convergence, stopping."""

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, load_wine

from simplexcoding.losses import CATALOGUE
from simplexcoding.solvers.stochastic.learning import (
    Descent,
    Rows,
    accuracy,
    advance,
    objective,
    running_objective,
    solve,
)
from simplexcoding.solvers.stochastic.stream import Stream
from solvers.stochastic.test_row_gradients import loss_of


def iris():
    """Sepals only, raw: two classes overlap."""
    X, y = load_iris(return_X_y=True)
    return X[::2, :2], y[::2]


def wine():
    """Two features only, so that the classes overlap."""
    X, y = load_wine(return_X_y=True)
    X = X[::2, [1, 2]]
    return (X - X.mean(axis=0)) / X.std(axis=0), y[::2]


def drawn():
    rng = np.random.default_rng(0)
    y = rng.integers(5, size=80)
    return rng.normal(size=(5, 6))[y] + 1.5 * rng.normal(size=(80, 6)), y


PROBLEMS = {"iris": iris, "wine": wine, "drawn": drawn}


def mean_loss(name, S, y, T):
    n, Y = len(y), np.eye(T)[y]
    G = (T * Y - 1) / (T - 1)
    own = cp.reshape(cp.sum(cp.multiply(S, Y), axis=1), (n, 1), order="C")
    lead = S - own @ np.ones((1, T))
    if name == "least_squares":
        return (T - 1) / T * cp.sum_squares(S - G) / n
    if name == "cone":
        return cp.sum(cp.multiply(1 - Y, cp.pos(S + 1 / (T - 1)))) / n
    if name == "half_space":
        return cp.sum(cp.pos(1 - own)) / n
    if name == "relative":
        hinges = cp.multiply(1 - Y, cp.pos(T / (T - 1) + lead))
        return np.sqrt((T - 1) / (2 * T)) * cp.sum(hinges) / n
    if name == "vertex":
        distance = np.sqrt((T - 1) / T) * cp.norm(S - G, axis=1)
        return cp.sum(cp.pos(distance - np.sqrt(T / (2 * (T - 1))))) / n
    if name == "exponential":
        return cp.sum(cp.multiply(1 - Y, cp.exp(lead / 2))) / n
    return cp.sum(cp.log_sum_exp(lead, axis=1)) / n


def optimum(name, X, y, lambda_):
    """Least mean V + lambda ||W||^2 with the constant column of the rows' length."""
    T = int(y.max()) + 1
    column = np.sqrt((X**2).sum(axis=1).mean())
    A = np.hstack([X, np.full((len(X), 1), column)])
    U = cp.Variable((A.shape[1], T))
    penalty = (T - 1) / T * cp.sum_squares(U)
    loss = mean_loss(name, A @ U, y, T)
    problem = cp.Problem(cp.Minimize(loss + lambda_ * penalty), [cp.sum(U, axis=1) == 0])
    problem.solve(solver=cp.CLARABEL)
    return problem.value


def long_run(name, X, y, lambdas, n_steps, seed=0):
    """Objectives of the averages after passes in a new order each."""
    rows, rng = Rows(X, y.astype(np.intp)), np.random.default_rng(seed)
    n_passes = -(-n_steps // len(y))
    order = np.concatenate([rng.permutation(len(y)) for _ in range(n_passes)])
    descent = Descent(loss_of(name))
    start = Stream.start(X.shape[1], int(y.max()) + 1, lambdas)
    return objective(advance(start, rows, descent, order), rows, descent)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", CATALOGUE)
def test_the_objective_is_near_the_batch_optimum(name, problem):
    X, y = PROBLEMS[problem]()
    lambdas = np.array([1e-3, 1e-2, 1e-1])
    # These two are almost zero at the optimum here: one per cent of it is little.
    n_steps = {"half_space": 2_000_000, "vertex": 1_500_000}.get(name, 300_000)
    reached = long_run(name, X, y, lambdas, n_steps)
    best = np.array([optimum(name, X, y, value) for value in lambdas])
    assert np.all(reached >= best * (1 - 1e-5))
    assert np.all(reached <= best * (1 + np.array([0.05, 0.01, 0.01])))


@pytest.mark.parametrize("name", ["cone", "logistic"])
def test_averages_converge_at_the_expected_order(name):
    """Excess objective against steps on a log scale: slope -1, the order of Pegasos, or steeper."""
    X, y = drawn()
    best = optimum(name, X, y, 0.1)
    steps = np.array([1_000, 4_000, 16_000, 64_000])
    excess = np.mean(
        [[long_run(name, X, y, [0.1], n, seed)[0] - best for n in steps] for seed in range(5)],
        axis=0,
    )
    slope = np.polyfit(np.log(steps), np.log(excess), 1)[0]
    assert -2.5 < slope < -0.8


def test_the_average_is_nearer_than_the_last_iterate():
    X, y = drawn()
    rows, order = Rows(X, y), np.random.default_rng(0).integers(len(y), size=20_000)
    ends = [
        objective(advance(Stream.start(6, 5, 0.1), rows, descent, order), rows, descent)[0]
        for descent in (Descent(loss_of("cone")), Descent(loss_of("cone"), average=False))
    ]
    best = optimum("cone", X, y, 0.1)
    assert ends[0] - best < (ends[1] - best) / 2


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("name", ["least_squares", "exponential"])
@pytest.mark.parametrize("project", [True, False])
def test_no_scale_of_the_input_blows_up(name, scale, project):
    """Neither early nor late is any iterate's mean loss far above that of zero weights."""
    X, y = drawn()
    rows = Rows(scale * X, y)
    descent = Descent(loss_of(name), project=project, average=False)
    stream = Stream.start(6, 5, 1e-4)
    at_zero = objective(stream, rows, descent)[0]
    for i in range(80):
        stream = advance(stream, rows, descent, np.array([i]))
        S = X @ stream.U[0] * scale + stream.b[0]
        assert descent.loss.value(S, y).mean() < 5 * at_zero


def test_objective_is_the_weighted_formula():
    X, y = drawn()
    w = np.random.default_rng(1).choice([0.0, 1.0, 2.5], size=len(y))
    rows, descent = Rows(X, y, w), Descent(loss_of("relative"), average=False)
    stream = advance(Stream.start(6, 5, 0.3), rows, descent, np.arange(80))
    assert stream.t == np.count_nonzero(w)
    S = X @ stream.U[0] + stream.b[0]
    mean = (w * descent.loss.value(S, y)).sum() / np.count_nonzero(w)
    assert np.isclose(objective(stream, rows, descent)[0], mean + 0.3 * stream.penalty(0)[0])
    sparse = Rows(sp.csr_matrix(X), y, w)
    assert np.isclose(objective(stream, sparse, descent)[0], objective(stream, rows, descent)[0])
    assert np.allclose(sparse.means(), rows.means())
    assert np.isclose(accuracy(stream, rows, descent)[0], w[S.argmax(axis=1) == y].sum() / w.sum())


def test_the_running_objective_takes_each_row_before_its_step():
    X, y = drawn()
    w = np.random.default_rng(2).random(80)
    rows, descent = Rows(X, y, w), Descent(loss_of("cone"), average=False)
    first = advance(Stream.start(6, 5, 0.3), rows, descent, np.arange(40))
    stream, total = first, 0.0
    for i in range(40, 80):
        S = X[i] @ stream.U[0] + stream.b[0]
        total += w[i] * descent.loss.value(S[None], y[i : i + 1])[0]
        stream = advance(stream, rows, descent, np.array([i]))
    expected = total / 40 + 0.3 * stream.penalty(0)[0]
    for X in (rows.X, sp.csr_matrix(rows.X)):
        last = advance(first, Rows(X, y, w), descent, np.arange(40, 80))
        assert np.isclose(running_objective(first, last, descent)[0], expected)


def test_one_pass_is_the_stream():
    X, y = drawn()
    rows, descent, start = Rows(X, y), Descent(loss_of("cone")), Stream.start(6, 5, 0.3)
    stream = advance(start, rows, descent, np.arange(80))
    solution = solve(rows, descent, start, max_iter=1, tol=None)
    assert np.array_equal(solution.stream.U, stream.U)
    assert np.allclose(stream.means, rows.means())
    assert solution.objectives == running_objective(start, stream, descent)


def test_rows_of_weight_zero_are_as_if_absent():
    X, y = drawn()
    w = np.ones(80)
    w[::3] = 0.0
    descent = Descent(loss_of("cone"))
    start = Stream.start(6, 5, 0.1)
    with_them = advance(start, Rows(X, y, w), descent, np.arange(80))
    without = advance(start, Rows(X[w > 0], y[w > 0]), descent, np.arange(int(w.sum())))
    assert np.array_equal(with_them.U, without.U) and with_them.t == without.t


def test_one_class_only_counts():
    X, _ = drawn()
    rows = Rows(X, np.zeros(80, dtype=np.intp))
    descent = Descent(loss_of("cone"))
    stream = advance(Stream.start(6, 1, 0.1), rows, descent, np.arange(30))
    stream = advance(stream, rows, descent, np.arange(30, 80))
    assert stream.t == 80 and not stream.U.any()
    assert np.allclose(stream.means, rows.means())


def test_statuses():
    X, y = drawn()
    rows, descent, start = Rows(X, y), Descent(loss_of("logistic")), Stream.start(6, 5, 0.1)
    rng = np.random.default_rng(0)
    fractions = []
    every = solve(rows, descent, start, max_iter=3, tol=None, rng=rng, progress=fractions.append)
    assert (every.status, every.n_iter, every.stream.t) == ("max_iter", 3, 240)
    assert fractions == [1 / 3, 2 / 3, 1.0]
    settled = solve(rows, descent, start, max_iter=500, tol=1e-3, patience=2, rng=rng)
    assert settled.status == "converged" and settled.n_iter < 500
    assert settled.objectives[0] < 1.02 * optimum("logistic", X, y, 0.1)
    assert np.isnan(settled.scores).all()
    huge = solve(Rows(1e200 * X, y), descent, start, max_iter=2, rng=rng)
    assert huge.status == "not_finite"


def test_stopping_on_held_out_rows_keeps_the_best_pass():
    X, y = drawn()
    learn, held = Rows(X[:50], y[:50]), Rows(X[50:], y[50:])
    descent, start = Descent(loss_of("least_squares")), Stream.start(6, 5, 1e-3)
    options = {"rng": None, "held_out": held}
    passes = [
        solve(learn, descent, start, max_iter=k, tol=None, **options).scores[0]
        for k in range(1, 13)
    ]
    kept = solve(learn, descent, start, max_iter=12, tol=None, stop_on_held_out=True, **options)
    assert kept.scores[0] == max(passes)
    assert kept.stream.t == 50 * (int(np.argmax(passes)) + 1)
