"""CD-MCBoost: one sweep, a tree for each coordinate, exact steps in turn."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting import (
    BinnedRows,
    BoostingProblem,
    CoordinateMethod,
    FeatureDraw,
    Forest,
    GradientMethod,
    Shape,
    boost,
)
from simplexcoding.solvers.boosting.curves import LossCurve
from simplexcoding.solvers.boosting.line_search import exact_step


def method(name, T, depth=1, rate=1.0, signs=False, every=True, kind=CoordinateMethod):
    rng = np.random.default_rng(T)
    X = rng.normal(size=(240, 4))
    noisy = X[:, 0] + np.sin(3 * X[:, 1]) + 0.5 * rng.normal(size=240)
    y = np.searchsorted(np.quantile(noisy, np.arange(1, T) / T), noisy).astype(np.intp)
    weights = rng.exponential(size=240)
    problem = BoostingProblem(get_loss(name), y, T, weights / weights.sum())
    common = problem, BinnedRows.from_data(X), Shape(depth), FeatureDraw(4, 4, 0), rate, signs
    return X, problem, kind(*common) if kind is GradientMethod else kind(*common, every)


@pytest.mark.parametrize("every", [True, False])
@pytest.mark.parametrize(
    ("depth", "rate", "signs"), [(1, 1.0, False), (1, 0.4, True), (2, 1.0, False)]
)
@pytest.mark.parametrize("T", [2, 5])
@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_the_risk_is_that_of_the_forest_and_never_rises(name, T, depth, rate, signs, every):
    X, problem, coordinate = method(name, T, depth, rate, signs, every)
    rounds = boost(coordinate, 15)[0]
    risks = [r.risk for r in rounds]
    assert len(rounds) == 15
    assert np.all(np.diff([problem.risk(np.zeros((len(X), T))), *risks]) < 0)
    assert {len(r.parts) for r in rounds} <= (set(range(1, T)) if every else {1})
    forest = Forest.of([r.parts for r in rounds])
    read = [
        problem.risk(problem.code.scores(F)) for F in forest.staged(X, np.zeros((len(X), T - 1)))
    ]
    assert np.allclose(risks, read, rtol=1e-10)


@pytest.mark.parametrize("depth", [1, 2])
def test_the_first_round_fits_scikit_learn_trees_to_each_coordinate(depth):
    T = 5
    X, problem, coordinate = method("exponential", T, depth)
    (first,) = boost(coordinate, 1)[0]
    code = problem.code
    descent = problem.descent(np.zeros((len(X), T)))
    weights = descent[np.arange(len(X)), problem.y]
    targets = code.pull_back(descent) / weights[:, None]
    F = np.zeros((len(X), T - 1))
    assert len(first.parts) == T - 1
    for turn, tree in enumerate(first.parts):
        j = tree.coordinate
        peer = DecisionTreeRegressor(max_depth=depth, random_state=0)
        D = np.zeros_like(F)
        D[:, j] = peer.fit(X, targets[:, j], sample_weight=weights).predict(X)
        curve = LossCurve(problem.loss, code.scores(F), code.scores(D), problem.y, problem.weights)
        F += exact_step(curve, 1e3) * D
        answers = np.zeros_like(F)
        for part in first.parts[: turn + 1]:
            part.add(X, answers)
        assert np.allclose(answers, F, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_best_keeps_the_coordinate_of_least_risk(name):
    T = 5
    X, problem, single = method(name, T, every=False)
    _, _, every = method(name, T)
    code = problem.code
    (tree,) = boost(single, 1)[0][0].parts
    risks = {}
    for weak in boost(every, 1)[0][0].parts:
        D = np.zeros((len(X), T - 1))
        weak.add(X, D)
        S, D = np.zeros((len(X), T)), code.scores(D)
        curve = LossCurve(problem.loss, S, D, problem.y, problem.weights)
        risks[weak.coordinate] = curve.value(exact_step(curve, 1e3))
    assert tree.coordinate == min(risks, key=risks.get)


@pytest.mark.parametrize("signs", [False, True])
def test_two_classes_have_one_coordinate_and_both_methods_agree(signs):
    X, _, coordinate = method("exponential", 2, signs=signs)
    _, _, gradient = method("exponential", 2, signs=signs, kind=GradientMethod)
    answers = []
    for way in (coordinate, gradient):
        F = np.zeros((len(X), 1))
        Forest.of([r.parts for r in boost(way, 20)[0]]).add(X, F)
        answers.append(F)
    assert np.allclose(*answers, rtol=1e-8)


def test_coordinates_without_a_split_take_constants():
    X, problem, _ = method("logistic", 3)
    flat = CoordinateMethod(problem, BinnedRows.from_data(0 * X), Shape(1), FeatureDraw(4, 2, 0))
    F = np.zeros((len(X), 2))
    Forest.of([r.parts for r in boost(flat, 40)[0]]).add(X, F)
    p = np.exp(problem.code.scores(F)[0])
    assert np.allclose(p / p.sum(), np.bincount(problem.y, problem.weights), atol=1e-4)
