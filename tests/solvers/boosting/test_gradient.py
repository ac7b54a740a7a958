"""GD-MCBoost: exact steps, falling risk, and AdaBoost at two classes."""

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from simplexcoding.losses import get_loss
from simplexcoding.solvers.boosting import (
    BinnedRows,
    BoostingProblem,
    FeatureDraw,
    Forest,
    GradientMethod,
    Shape,
    State,
    boost,
)
from simplexcoding.solvers.boosting.curves import LossCurve, longest_step
from simplexcoding.solvers.boosting.greedy_tree import table
from simplexcoding.solvers.boosting.line_search import exact_step


def data(T, n=240, p=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    noisy = X[:, 0] + np.sin(3 * X[:, 1]) + 0.5 * rng.normal(size=n)
    y = np.searchsorted(np.quantile(noisy, np.arange(1, T) / T), noisy)
    weights = rng.exponential(size=n)
    return X, y.astype(np.intp), weights / weights.sum()


def method(name, T, depth=2, rate=1.0, vertices=False, size=4):
    X, y, weights = data(T)
    problem = BoostingProblem(get_loss(name), y, T, weights)
    draw = FeatureDraw(4, size, 0)
    return (
        X,
        problem,
        GradientMethod(problem, BinnedRows.from_data(X), Shape(depth), draw, rate, vertices),
    )


def stages(X, rounds, T):
    return [
        F.copy() for F in Forest.of([r.parts for r in rounds]).staged(X, np.zeros((len(X), T - 1)))
    ]


@pytest.mark.parametrize("vertices", [False, True])
@pytest.mark.parametrize("rate", [1.0, 0.3])
@pytest.mark.parametrize("T", [2, 3, 8])
@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_the_risk_is_that_of_the_forest_and_never_rises(name, T, rate, vertices):
    X, problem, gradient = method(name, T, rate=rate, vertices=vertices)
    rounds = boost(gradient, 25)[0]
    start = problem.risk(np.zeros((len(X), T)))
    risks = [r.risk for r in rounds]
    assert len(rounds) == 25
    assert np.all(np.diff([start, *risks]) < 0)
    # Trees read raw values: the binned fit and the forest agree.
    read = [problem.risk(problem.code.scores(F)) for F in stages(X, rounds, T)]
    assert np.allclose(risks, read, rtol=1e-10)


@pytest.mark.parametrize("vertices", [False, True])
@pytest.mark.parametrize("T", [2, 5])
@pytest.mark.parametrize("name", ["exponential", "logistic"])
def test_every_step_is_exact(name, T, vertices):
    # Under the exponential loss vertices take the closed form: the search must find it too.
    X, problem, gradient = method(name, T, vertices=vertices)
    rounds = boost(gradient, 6)[0]
    code = problem.code
    before = np.zeros((len(X), T - 1))
    for after in stages(X, rounds, T):
        D = code.scores(after - before)
        curve = LossCurve(problem.loss, code.scores(before), D, problem.y, problem.weights)
        assert exact_step(curve, longest_step(D)) == pytest.approx(1.0, rel=1e-7)
        before = after


@pytest.mark.parametrize("T", [2, 5])
def test_the_table_handed_on_is_that_of_the_new_scores(T):
    X, problem, gradient = method("exponential", T, rate=0.7)
    state = State(np.zeros((len(X), T)))
    for number in range(1, 4):
        gradient.round(state, number)
        descent = problem.descent(state.S)
        fresh = table(descent, descent[np.arange(len(X)), problem.y])
        assert np.allclose(state.table, fresh, rtol=1e-11, atol=1e-18)


def test_the_table_is_made_afresh_every_sixteen_rounds():
    X, _, gradient = method("exponential", 5)
    spoilt = np.zeros((len(X), 8))
    assert gradient.round(State(np.zeros((len(X), 5)), spoilt.copy()), 16) is not None
    assert gradient.round(State(np.zeros((len(X), 5)), spoilt.copy()), 17) is None


@pytest.mark.parametrize("vertices", [False, True])
def test_many_leaves_are_searched_on_the_scores_themselves(vertices):
    X, problem, gradient = method("exponential", 8, depth=6, vertices=vertices)
    assert len(X) < 2**6 * 8
    rounds = boost(gradient, 4)[0]
    read = [problem.risk(problem.code.scores(F)) for F in stages(X, rounds, 8)]
    assert np.allclose([r.risk for r in rounds], read, rtol=1e-10)
    assert np.all(np.diff(read) < 0)


def test_vertex_leaves_are_code_vectors():
    _, problem, gradient = method("exponential", 5, vertices=True)
    (tree,) = boost(gradient, 1)[0][0].parts
    code = problem.code
    scores = code.scores(tree.values / np.linalg.norm(tree.values, axis=1)[:, None])
    assert np.allclose(np.sort(scores, axis=1), [[-0.25] * 4 + [1.0]] * 4)


@pytest.mark.parametrize("depth", [1, 2])
def test_two_classes_are_adaboost_step_for_step(depth):
    X, problem, gradient = method("exponential", 2, depth=depth, vertices=True)
    y = problem.y
    peer = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=depth), n_estimators=30, random_state=0
    ).fit(X, y, sample_weight=problem.weights)
    rounds = boost(gradient, 30)[0]
    assert len(rounds) == 30
    total = np.zeros(len(X))
    new = np.random.default_rng(9).normal(size=(300, 4))
    for r, F in enumerate(stages(X, rounds, 2)):
        # SAMME's weight of a round is log((1 - err)/err), twice the step of e^(-m).
        vote = 2 * peer.estimators_[r].predict(X) - 1
        total += peer.estimator_weights_[r] / 2 * vote
        assert np.allclose(problem.code.scores(F)[:, 1], total, rtol=1e-9)
    final = problem.code.scores(stages(new, rounds, 2)[-1])[:, 1]
    assert np.array_equal(final > 0, peer.predict(new) == 1)


def test_a_draw_of_constant_features_falls_back_on_all():
    X, problem, _ = method("exponential", 3)
    X = np.c_[np.zeros((len(X), 60)), X]
    sparse = GradientMethod(problem, BinnedRows.from_data(X), Shape(2), FeatureDraw(64, 1, 0))
    rounds = boost(sparse, 5)[0]
    used = [r.parts[0].features[0] for r in rounds]
    assert len(rounds) == 5 and min(used) >= 60


def test_features_that_tell_nothing_leave_the_class_shares():
    X, problem, _ = method("logistic", 3)
    flat = GradientMethod(problem, BinnedRows.from_data(0 * X), Shape(2), FeatureDraw(4, 4, 0))
    rounds = boost(flat, 50)[0]
    S = problem.code.scores(stages(X, rounds, 3)[-1])[0]
    shares = np.bincount(problem.y, problem.weights)
    assert np.allclose(np.exp(S) / np.exp(S).sum(), shares, atol=1e-4)
