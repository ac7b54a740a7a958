"""Newton rounds: leaves against loops, risks against the loss, projections against none."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import softmax

from reference import boosting as slow
from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting import (
    BinnedRows,
    BoostingProblem,
    FeatureDraw,
    Forest,
    NewtonMethod,
    Shape,
    boost,
)
from simplexcoding.solvers.boosting import newton as module


def method(T, n=400, k=3, l2=0.5, rate=0.3, depth=3, size=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    noisy = X[:, 0] + np.sin(3 * X[:, 1]) + 0.5 * rng.normal(size=n)
    y = np.searchsorted(np.quantile(noisy, np.arange(1, T) / T), noisy).astype(np.intp)
    weights = rng.exponential(size=n)
    problem = BoostingProblem(get_loss("logistic"), y, T, weights / weights.sum())
    return X, NewtonMethod(
        problem,
        weights.sum(),
        BinnedRows.from_data(X),
        Shape(depth, l2=l2),
        FeatureDraw(4, size, 0),
        rate,
        k,
        7,
    )


@pytest.mark.parametrize("T", [2, 3, 8])
def test_risks_are_those_of_the_forest_and_fall(T):
    X, newton = method(T)
    rounds = boost(newton, 30)[0]
    stages = Forest.of([r.parts for r in rounds]).staged(X, np.zeros((len(X), T - 1)))
    code = newton.problem.code
    risks = [newton.problem.risk(code.scores(F)) for F in stages]
    assert np.allclose([r.risk for r in rounds], risks, rtol=1e-4)
    assert np.all(np.diff(risks) < 0)


@pytest.mark.parametrize("k", [1, 3, 5, 8])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_table_has_descents_along_directions_and_curvatures(monkeypatch, k, threads):
    monkeypatch.setattr(module, "_LEAST_WORK_FOR_THREADS", 0)
    monkeypatch.setattr("simplexcoding.threads._wanted", lambda: threads)
    X, newton = method(5)
    rng = np.random.default_rng(2)
    state = newton.start(rng.normal(size=(len(X), 5)))
    state.repeats[:] = np.arange(len(X))
    y, weights = newton.problem.y, newton.problem.weights * newton.mass
    for directions in rng.normal(size=(2, 5, k)):
        table = state.table(newton.problem, directions)
        descent = weights[:, None] * (np.eye(5)[y] - state.P)
        assert np.allclose(table[:, :k], descent @ directions, atol=1e-5)
        curvature = (state.P * (1 - state.P)).sum(axis=1)
        assert np.allclose(table[:, k], weights * curvature, rtol=1e-5)
        assert np.array_equal(table[:, k + 1], np.arange(len(X)))
        assert not table[:, k + 2 :].any()


@pytest.mark.parametrize("T", [2, 5])
def test_leaves_are_the_newton_step_of_every_class(T):
    X, newton = method(T, rate=1.0)
    S = newton.problem.code.scores(np.random.default_rng(1).normal(size=(len(X), T - 1)))
    state = newton.start(S)
    tree = newton.round(state, 0).parts[0]
    F = np.zeros((len(X), T - 1))
    tree.add(X, F)
    moved = newton.problem.code.scores(F)
    _, leaf = np.unique(moved[:, 0], return_inverse=True)
    weights = newton.problem.weights * newton.mass
    leaves = slow.newton_round(S, newton.problem.y, weights, leaf, leaf.max() + 1, newton.shape.l2)
    assert np.allclose(moved, leaves[leaf], atol=1e-4)
    assert np.allclose(state.P, softmax(S + moved, axis=1), atol=1e-5)


def test_at_two_classes_a_small_penalty_leaves_newtons_method():
    # One leaf: the step in the difference of scores is descent over curvature of log(1 + e^-d).
    X, newton = method(2, l2=1e-9, rate=1.0, depth=1)
    newton = replace(newton, shape=Shape(1, min_samples_leaf=10**6, l2=1e-9))
    moved = np.zeros((1, 1))
    newton.round(newton.start(None), 0).parts[0].add(X[:1], moved)
    share = newton.problem.weights @ (newton.problem.y == 0)
    assert newton.problem.code.scores(moved)[0] == pytest.approx(
        np.array([1, -1]) * (share - 0.5) / 0.25 / 2, abs=1e-6
    )


def test_enough_directions_are_no_projection():
    _, newton = method(3, k=3)
    assert np.array_equal(newton.directions(5), np.eye(3))


def test_directions_are_drawn_anew_keep_lengths_on_average_and_follow_the_seed():
    _, newton = method(8, k=3)
    assert np.array_equal(newton.directions(4), newton.directions(4))
    assert not np.array_equal(newton.directions(4), newton.directions(5))
    assert not np.array_equal(newton.directions(4), replace(newton, seed=8).directions(4))
    descent = np.random.default_rng(0).normal(size=8)
    lengths = [np.sum((descent @ newton.directions(r)) ** 2) for r in range(4000)]
    # Each is ||descent||^2 chi2(3)/3, of relative standard deviation sqrt(2/3).
    error = np.mean(lengths) / (descent @ descent) - 1
    assert abs(error) < 4 * np.sqrt(2 / 3 / 4000)


def test_trimming_leaves_rows_out_of_the_search_only():
    X, newton = method(5, rate=1.0)
    S = 8 * newton.problem.code.scores(np.random.default_rng(1).normal(size=(len(X), 4)))
    trimmed = replace(newton, trim=0.2)
    moved = np.zeros((len(X), 4))
    tree = trimmed.round(trimmed.start(S), 0).parts[0]
    tree.add(X, moved)
    moved = newton.problem.code.scores(moved)
    _, leaf = np.unique(moved[:, 0], return_inverse=True)
    weights = newton.problem.weights * newton.mass
    leaves = slow.newton_round(S, newton.problem.y, weights, leaf, leaf.max() + 1, 0.5)
    assert np.allclose(moved, leaves[leaf], atol=1e-3)
    # The tree is the one that the other rows alone would give.
    P = softmax(S, axis=1)
    curvature = 1 - (P**2).sum(axis=1)
    heavy = curvature > np.quantile(curvature, 0.5)
    alone = replace(
        newton,
        trim=0.0,
        problem=replace(newton.problem, weights=np.where(heavy, newton.problem.weights, 1e-12)),
    )
    assert alone.round(alone.start(S), 0).parts[0].features[0] == tree.features[0]


def test_threads_change_nothing(monkeypatch):
    models = []
    for least in (0, 1 << 60):
        monkeypatch.setattr(module, "_LEAST_WORK_FOR_THREADS", least)
        _, newton = method(5)
        models.append(Forest.of([r.parts for r in boost(newton, 5)[0]]))
    assert np.array_equal(models[0].values, models[1].values)
    assert np.array_equal(models[0].thresholds, models[1].thresholds)


def test_a_draw_of_constant_features_is_widened():
    X, newton = method(3, size=1)
    flat = X.copy()
    flat[:, 1:] = 0.0
    newton = replace(newton, binned=BinnedRows.from_data(flat))
    used = [r.parts[0].features[0] for r in boost(newton, 5)[0]]
    assert used == [0] * 5
    assert all(r.parts[0].gains[0] > 0 for r in boost(newton, 5)[0])
