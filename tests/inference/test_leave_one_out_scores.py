import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits

from reference.margin import leave_one_out_scores as by_refits
from reference.margin import logistic_step, span_rule
from simplexcoding.design.operators import Gram, Spectral
from simplexcoding.inference import leave_one_out_scores as module
from simplexcoding.inference.leave_one_out_bounds import leave_one_out_balls
from simplexcoding.inference.leave_one_out_scores import (
    all_classes,
    class_by_class,
    in_balls,
    leave_one_out_scores,
)
from simplexcoding.inference.newton_without import Solved
from simplexcoding.kernels import gamma_values
from simplexcoding.losses import get_loss, losses_offering
from simplexcoding.solvers.margin import NEEDS, MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

LOSSES = {name: get_loss(name) for name in losses_offering(*NEEDS)}
LOSSES["half_space, no hull"] = get_loss("half_space").without_hull()


def draw(seed, T, n=12, linear=False):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 3)) + rng.normal(size=(T, 3))[y]
    if linear:
        return X @ X.T + 1, y, rng
    return np.exp(-0.3 * ((X[:, None] - X) ** 2).sum(axis=2)), y, rng


def solve(problem, K, tol):
    data = Spectral.of_kernel(K)
    return data, Splitting(data, tol).solve([problem], Stop(tol, 50_000))[0]


def one_step(problem, solution, data):
    machine = Solved.near(problem, data, solution.scores, solution.certificate.point).polished()
    return all_classes(machine.scores, machine.duals, data, machine.free)


@pytest.mark.parametrize("loss", ["cone", "relative", "half_space, no hull"])
@pytest.mark.parametrize("C", [0.3, 2.0])
def test_two_classes_are_the_span_rule(loss, C):
    K, y, _ = draw(1, 2, n=16)
    problem = MarginProblem(LOSSES[loss], y, np.full(16, C), 2)
    data, solution = solve(problem, K, 1e-12)
    expected = span_rule(K, y, C)
    found = one_step(problem, solution, data)
    assert np.abs(expected - solution.scores[:, 1]).max() > 0.1
    assert np.allclose(found[:, 1], expected, atol=2e-6)


@pytest.mark.parametrize("T", [2, 3])
def test_the_logistic_step_is_that_of_whole_blocks(T):
    K, y, rng = draw(2, T)
    problem = MarginProblem(LOSSES["logistic"], y, rng.uniform(0.5, 3, size=12), T)
    data, solution = solve(problem, K, 1e-12)
    S, B = solution.scores, solution.certificate.point
    expected = logistic_step(K, y, problem.box, S, B)
    assert np.abs(expected - S).max() > 0.1
    assert np.allclose(one_step(problem, solution, data), expected, atol=1e-5)


@pytest.mark.parametrize("linear", [False, True])
def test_squared_error_is_left_out_exactly(linear):
    K, y, rng = draw(3, 3, linear=linear)
    problem = MarginProblem(get_loss("least_squares"), y, rng.uniform(0.2, 3, size=12), 3)
    data, solution = solve(problem, K, 1e-6)
    refits, _ = by_refits(problem, K, 1e-13)
    assert np.allclose(one_step(problem, solution, data), refits, atol=1e-7)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    loss=st.sampled_from(sorted(LOSSES)),
    T=st.integers(2, 4),
    cost=st.sampled_from([0.05, 1.0, 20.0]),
    linear=st.booleans(),
)
@example(seed=2, loss="cone", T=4, cost=1.0, linear=True)
def test_estimates_lie_in_the_certified_balls(seed, loss, T, cost, linear):
    K, y, rng = draw(seed, T, linear=linear)
    problem = MarginProblem(LOSSES[loss], y, cost * rng.uniform(0.2, 3, size=len(y)), T)
    data, solution = solve(problem, K, 1e-9)
    balls = leave_one_out_balls(problem, solution, data)
    found = leave_one_out_scores(problem, solution.scores, solution.certificate.point, data)
    assert np.allclose(found.sum(axis=1), 0, atol=1e-7)
    away = np.linalg.norm(found - balls.centres, axis=1)
    assert (away <= balls.radii + 1e-3 * (1 + balls.radii)).all()


@pytest.mark.parametrize("loss", ["cone", "relative", "logistic"])
def test_the_ball_brings_any_estimate_nearer_to_the_refit(loss):
    K, y, rng = draw(2, 4, linear=True)
    problem = MarginProblem(LOSSES[loss], y, rng.uniform(0.2, 3, size=12), 4)
    data, solution = solve(problem, K, 1e-12)
    refits, _ = by_refits(problem, K, 1e-13)
    wild = refits + rng.normal(size=refits.shape) * np.logspace(-2, 1, 12)[:, None]
    inside = in_balls(wild, solution.scores, solution.certificate.point, data)
    before, after = (np.linalg.norm(found - refits, axis=1) for found in (wild, inside))
    assert (after <= before + 1e-5).all() and (after < before - 0.1).any()
    assert np.allclose(in_balls(inside, solution.scores, solution.certificate.point, data), inside)


@pytest.mark.parametrize("loss", ["cone", "relative", "vertex"])
def test_rows_without_a_dual_are_as_in_refits(loss):
    rng = np.random.default_rng(3)
    y = np.arange(40) % 3
    X = rng.normal(size=(40, 2)) + 4 * np.array([[0, 1], [1, -1], [-1, -1]])[y]
    K = np.exp(-0.05 * ((X[:, None] - X) ** 2).sum(axis=2))
    problem = MarginProblem(LOSSES[loss], y, np.full(40, 5.0), 3)
    data, solution = solve(problem, K, 1e-13)
    found = leave_one_out_scores(problem, solution.scores, solution.certificate.point, data)
    unused = np.flatnonzero(~solution.certificate.point.any(axis=1))
    assert len(unused) >= 5
    stop = Stop(1e-13, 50_000)
    for i in unused[:3]:
        (without,) = Splitting(data, stop.tol).solve([problem.without(np.array([i]))], stop)
        assert np.abs(without.scores[i] - found[i]).max() < 1e-8


@pytest.mark.parametrize(("loss", "C"), [("relative", 30.0), ("cone", 1.0), ("logistic", 10.0)])
def test_the_error_of_digits_is_that_of_refits(loss, C):
    X, y = load_digits(return_X_y=True)
    X, y = X[:90] / 16, y[:90]
    gamma = gamma_values("rbf", "quantile", X)[0]
    K = np.exp(-gamma * ((X[:, None] - X) ** 2).sum(axis=2))
    weights = np.random.default_rng(0).uniform(0.5, 2, size=90)
    problem = MarginProblem(get_loss(loss), y, C * weights, 10)
    data, solution = solve(problem, K, 1e-3)
    found = leave_one_out_scores(problem, solution.scores, solution.certificate.point, data)
    wrong = np.empty(90, dtype=bool)
    machine, stop = Splitting(data, 1e-4), Stop(1e-4, 5000)
    for i in range(90):
        (alone,) = machine.solve([problem.without(np.array([i]))], stop, [solution])
        wrong[i] = alone.scores[i].argmax() != y[i]
    low, high = leave_one_out_balls(problem, solution, data).error_bounds(y)
    assert wrong.mean() > 0.02 and low <= wrong.mean() <= high
    assert abs(np.mean(found.argmax(axis=1) != y) - wrong.mean()) <= 0.005


@pytest.mark.parametrize("T", [2, 5])
def test_beyond_the_inverse_smooth_losses_go_class_by_class(monkeypatch, T):
    K, y, _ = draw(4, T, n=30)
    problem = MarginProblem(LOSSES["logistic"], y, np.full(30, 1.0), T)
    data, solution = solve(problem, K, 1e-9)
    S, B = solution.scores, solution.certificate.point
    machine = Solved.near(problem, data, S, B)
    whole = all_classes(S, B, data, machine.free)
    found = class_by_class(S, B, data, machine.free)
    # Nothing is lost with two classes, little with more.
    moved = np.abs(S - whole).max()
    assert np.abs(found - whole).max() < (1e-6 if T == 2 else 0.15) * moved
    monkeypatch.setattr(module, "LARGEST_INVERSE", len(machine.free.rows) - 1)
    monkeypatch.setattr(module, "in_folds", None)
    if len(machine.free.rows) > 30:
        assert np.array_equal(leave_one_out_scores(problem, S, B, data), found)


@pytest.mark.parametrize("loss", ["cone", "logistic"])
def test_beyond_that_rows_leave_in_folds(monkeypatch, loss):
    K, y, rng = draw(4, 3, n=40)
    monkeypatch.setattr(module, "LARGEST_INVERSE", 5)
    problem = MarginProblem(LOSSES[loss], y, rng.uniform(0.5, 3, size=40), 3)
    data, solution = solve(problem, K, 1e-6)
    S, B = solution.scores, solution.certificate.point
    refits, _ = by_refits(problem, K)
    # Forty folds of one row each: refits, to the tolerance of folds.
    found = leave_one_out_scores(problem, S, B, data)
    assert np.abs(found - refits).max() < 0.1 * np.abs(S - refits).max()
    unused = ~B.any(axis=1)
    assert np.array_equal(found[unused], S[unused])
    monkeypatch.setattr(module, "_MULTIPLICATIONS_PER_ITERATION", 0.0)
    rough = leave_one_out_scores(problem, S, B, data)
    # Five folds: further off, as they leave out more, and not absurd.
    off = np.abs(rough - refits).max()
    assert np.abs(found - refits).max() < off < np.abs(S - refits).max()


def test_a_kernel_of_zeros_has_nothing_to_leave_out():
    problem = MarginProblem(LOSSES["cone"], np.array([0, 1, 0]), np.ones(3), 2)
    zero = np.zeros((3, 2))
    assert np.array_equal(leave_one_out_scores(problem, zero, zero, Gram(np.zeros((3, 3)))), zero)
