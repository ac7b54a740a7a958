"""The objective against an interior-point optimum, the order of convergence, stopping."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_iris, load_wine

from reference.stochastic import optimum
from simplexcoding.losses import CATALOGUE, get_loss
from simplexcoding.rows import Rows
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.stochastic.learning import (
    Descent,
    accuracy,
    advance,
    advance_over,
    objective,
    running_objective,
    solve,
)
from simplexcoding.solvers.stochastic.stream import Stream


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


def long_run(name, X, y, lambdas, n_steps, seed=0):
    """Objectives of the averages after passes in a new order each."""
    rows, rng = Rows(X, y.astype(np.intp), int(y.max()) + 1), np.random.default_rng(seed)
    n_passes = -(-n_steps // len(y))
    order = np.concatenate([rng.permutation(len(y)) for _ in range(n_passes)])
    descent = Descent(get_loss(name).without_hull())
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
    rows, order = Rows(X, y, 5), np.random.default_rng(0).integers(len(y), size=20_000)
    ends = [
        objective(advance(Stream.start(6, 5, 0.1), rows, descent, order), rows, descent)[0]
        for descent in (Descent(get_loss("cone")), Descent(get_loss("cone"), average=False))
    ]
    best = optimum("cone", X, y, 0.1)
    assert ends[0] - best < (ends[1] - best) / 2


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("name", ["least_squares", "exponential"])
@pytest.mark.parametrize("project", [True, False])
def test_no_scale_of_the_input_blows_up(name, scale, project):
    """Neither early nor late is any iterate's mean loss far above that of zero weights."""
    X, y = drawn()
    rows = Rows(scale * X, y, 5)
    descent = Descent(get_loss(name).without_hull(), project=project, average=False)
    stream = Stream.start(6, 5, 1e-4)
    at_zero = objective(stream, rows, descent)[0]
    for i in range(80):
        stream = advance(stream, rows, descent, np.array([i]))
        S = X @ stream.U[0] * scale + stream.b[0]
        assert descent.loss.value(S, y).mean() < 5 * at_zero


def test_objective_is_the_weighted_formula():
    X, y = drawn()
    w = np.random.default_rng(1).choice([0.5, 1.0, 2.5], size=len(y))
    rows, descent = Rows(X, y, 5, w), Descent(get_loss("relative"), average=False)
    stream = advance(Stream.start(6, 5, 0.3), rows, descent, np.arange(80))
    assert stream.t == 80
    S = X @ stream.U[0] + stream.b[0]
    mean = (w * descent.loss.value(S, y)).mean()
    assert np.isclose(objective(stream, rows, descent)[0], mean + 0.3 * stream.penalty(0)[0])
    by_total = replace(descent, normalised=True)
    mean *= 80 / w.sum()
    assert np.isclose(objective(stream, rows, by_total)[0], mean + 0.3 * stream.penalty(0)[0])
    sparse = Rows(sp.csr_matrix(X), y, 5, w)
    assert np.isclose(objective(stream, sparse, descent)[0], objective(stream, rows, descent)[0])
    assert np.isclose(accuracy(stream, rows, descent)[0], w[S.argmax(axis=1) == y].sum() / w.sum())


def test_the_running_objective_takes_each_row_before_its_step():
    X, y = drawn()
    w = np.random.default_rng(2).random(80)
    rows, descent = Rows(X, y, 5, w), Descent(get_loss("cone"), average=False)
    first = advance(Stream.start(6, 5, 0.3), rows, descent, np.arange(40))
    stream, total = first, 0.0
    for i in range(40, 80):
        S = X[i] @ stream.U[0] + stream.b[0]
        total += w[i] * descent.loss.value(S[None], y[i : i + 1])[0]
        stream = advance(stream, rows, descent, np.array([i]))
    expected = total / 40 + 0.3 * stream.penalty(0)[0]
    for X in (rows.X, sp.csr_matrix(rows.X)):
        last = advance(first, Rows(X, y, 5, w), descent, np.arange(40, 80))
        assert np.isclose(running_objective(first, last, descent)[0], expected)
        by_total = running_objective(first, last, replace(descent, normalised=True))[0]
        assert np.isclose(by_total, total / w[40:].sum() + 0.3 * stream.penalty(0)[0])


def test_one_pass_is_the_stream():
    X, y = drawn()
    rows, descent, start = Rows(X, y, 5), Descent(get_loss("cone")), Stream.start(6, 5, 0.3)
    stream = advance(start, rows, descent, np.arange(80))
    solution = solve(rows, descent, start, max_iter=1, tol=None)
    assert np.array_equal(solution.stream.U, stream.U)
    assert np.allclose(stream.means, [1.0, np.sum(X**2, axis=1).mean()])
    assert solution.objectives == running_objective(start, stream, descent)


def test_blocks_in_turn_are_the_rows_in_one_piece():
    X, y = drawn()
    rows, descent, start = Rows(X, y, 5), Descent(get_loss("cone")), Stream.start(6, 5, 0.1)
    whole = advance(start, rows, descent)
    parts = advance_over(start, (part for _, part in rows.blocks(size=7)), descent)
    assert parts.t == whole.t == 80 and start.t == 0 and not start.U.any()
    assert np.allclose(parts.U_mean, whole.U_mean, rtol=0, atol=1e-13)


def test_one_model_of_several_is_the_function_it_learnt():
    X, y = drawn()
    rows, descent = Rows(X, y, 5), Descent(get_loss("cone"))
    every = solve(rows, descent, Stream.start(6, 5, [0.1, 1.0]), max_iter=2, tol=None)
    answer = every.only(1).solution(descent)
    assert (answer.status, answer.iterations) == (Status.ITERATIONS, 2)
    expected = X @ every.stream.U_mean[1] + every.stream.b_mean[1]
    assert np.allclose(answer.function.scores(X), expected)


def test_one_class_only_counts():
    X, _ = drawn()
    rows = Rows(X, np.zeros(80, dtype=np.intp), 1)
    descent = Descent(get_loss("cone"))
    stream = advance(Stream.start(6, 1, 0.1), rows, descent, np.arange(30))
    stream = advance(stream, rows, descent, np.arange(30, 80))
    assert stream.t == 80 and not stream.U.any()
    assert np.allclose(stream.means, [1.0, np.sum(X**2, axis=1).mean()])


def test_statuses():
    X, y = drawn()
    rows, descent, start = Rows(X, y, 5), Descent(get_loss("logistic")), Stream.start(6, 5, 0.1)
    rng = np.random.default_rng(0)
    fractions = []
    every = solve(rows, descent, start, max_iter=3, tol=None, rng=rng, report=fractions.append)
    assert (every.status, every.iterations, every.stream.t) == (Status.ITERATIONS, 3, 240)
    assert fractions == [1 / 3, 2 / 3, 1.0]
    settled = solve(rows, descent, start, max_iter=500, tol=1e-3, patience=2, rng=rng)
    assert settled.status is Status.CONVERGED and settled.iterations < 500
    assert settled.objectives[0] < 1.02 * optimum("logistic", X, y, 0.1)
    assert np.isnan(settled.scores).all()
    huge = solve(Rows(1e200 * X, y, 5), descent, start, max_iter=2, rng=rng)
    assert huge.status is Status.NOT_FINITE


def test_stopping_on_held_out_rows_keeps_the_best_pass():
    X, y = drawn()
    learn, held = Rows(X[:50], y[:50], 5), Rows(X[50:], y[50:], 5)
    descent, start = Descent(get_loss("least_squares")), Stream.start(6, 5, 1e-3)
    options = {"rng": None, "held_out": held}
    passes = [
        solve(learn, descent, start, max_iter=k, tol=None, **options).scores[0]
        for k in range(1, 13)
    ]
    kept = solve(learn, descent, start, max_iter=12, tol=None, stop_on_held_out=True, **options)
    assert kept.scores[0] == max(passes)
    assert kept.stream.t == 50 * (int(np.argmax(passes)) + 1)
