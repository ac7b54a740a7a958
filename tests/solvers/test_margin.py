import numpy as np
import pytest

from reference import margin as reference
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import (
    Certificate,
    MarginProblem,
    MarginSolution,
    State,
    certify,
    dual_point,
    feasible,
)
from simplexcoding.solvers.solution import Status

LOSSES = [get_loss(name) for name in ("cone", "half_space", "relative", "vertex", "logistic")]
LOSSES.append(get_loss("half_space", hull=False))
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)


def draw(loss, T=4, n=12):
    rng = np.random.default_rng(T)
    X = rng.normal(size=(n, 3))
    K = np.exp(-0.3 * ((X[:, None] - X) ** 2).sum(axis=2))
    problem = MarginProblem(loss, rng.integers(T, size=n), rng.uniform(0.5, 2, size=n), T)
    B = rng.normal(size=(n, T))
    return problem, K, B - B.mean(axis=1, keepdims=True)


def certified(problem, K, B):
    point = dual_point(problem, B, B)
    return certify(problem, B, K @ B, point, K @ point)


@every_loss
def test_certificate_agrees_with_plain_loops_and_bounds_the_optimum(loss):
    problem, K, B = draw(loss)
    coefficients, _, found = certified(problem, K, B)
    arguments = (loss.name, K, problem.y, problem.box)
    hull = getattr(loss, "hull", True)
    primal, dual, violation = reference.values(*arguments, coefficients, found.point, hull)
    best = reference.optimum(*arguments, 4, hull)
    assert violation <= 1e-9
    assert found.primal == pytest.approx(primal, rel=1e-9)
    assert found.dual == pytest.approx(dual, rel=1e-9)
    assert found.dual - 1e-7 <= best <= found.primal + 1e-7
    assert found.gap == pytest.approx((primal - dual) / primal)


@every_loss
def test_feasible_points_stay_and_others_move_to_the_nearest(loss):
    problem, _, B = draw(loss)
    S = np.random.default_rng(0).normal(size=B.shape)
    S -= S.mean(axis=1, keepdims=True)
    inside = -problem.box[:, None] * get_loss("logistic").subgradient(S, problem.y)
    if loss.name != "logistic":
        z = problem.prox(S, 1.0)
        inside = -(S - z) / problem.kappa
    else:
        inside /= problem.kappa
    assert np.allclose(feasible(problem, inside), inside, atol=1e-7)
    moved = feasible(problem, B)
    # The projection on a convex set makes an obtuse angle with every point of the set.
    angle = np.sum((B - moved) * (inside - moved), axis=1)
    assert angle.max() <= 1e-5


def test_under_the_hull_coefficients_are_shrunk_until_they_are_inside():
    problem, K, B = draw(get_loss("half_space"))
    inside, scores, found = certified(problem, K, 5 * B)
    assert np.allclose(K @ inside, scores)
    assert (K @ inside).min() == pytest.approx(-1 / 3, rel=1e-9)
    assert np.allclose(inside / inside[0, 0], B / B[0, 0])
    values = problem.loss.value(K @ inside, problem.y)
    energy = 0.75 * np.sum(inside * (K @ inside)) / 2
    assert found.primal == pytest.approx(energy + problem.box @ values, rel=1e-12)


@every_loss
def test_rows_set_aside_have_no_loss_no_hull_and_no_dual(loss):
    problem, K, B = draw(loss)
    aside = np.array([1, 4])
    rest = np.setdiff1d(np.arange(12), aside)
    part = problem.scaled(3.0).without(aside)
    assert part.box[rest].tolist() == (3 * problem.box[rest]).tolist()
    S = np.random.default_rng(1).normal(size=B.shape)
    S -= S.mean(axis=1, keepdims=True)
    alone = MarginProblem(loss, problem.y[rest], part.box[rest], 4)
    assert np.allclose(part.prox(S, 0.3)[rest], alone.prox(S[rest], 0.3))
    assert np.array_equal(part.prox(S, 0.3)[aside], S[aside])
    B = 0.01 * B  # Inside the hull.
    coefficients, _, found = certified(part, K, B)
    assert not found.point[aside].any()
    S = K @ coefficients
    energy = 0.75 * np.sum(coefficients * S) / 2
    values = alone.loss.value(S[rest], alone.y)
    assert found.primal == pytest.approx(energy + alone.box @ values)
    arguments = (loss.name, K[np.ix_(rest, rest)], alone.y, alone.box)
    hull = getattr(loss, "hull", True)
    _, dual, violation = reference.values(*arguments, B[rest], found.point[rest], hull)
    assert violation <= 1e-9 and found.dual == pytest.approx(dual, rel=1e-9)


@every_loss
@pytest.mark.parametrize("factor", [1.0, 1.5, 40.0])
def test_the_gap_at_a_larger_box_is_that_of_a_certificate_taken_there(loss, factor):
    problem, K, B = draw(loss)
    found = certified(problem, K, B)
    solution = MarginSolution(*found, 1, Status.CONVERGED, State(B, B), 1.0)
    larger = problem.scaled(factor)
    coefficients, _, certificate = found
    arguments = (loss.name, K, problem.y, larger.box)
    hull = getattr(loss, "hull", True)
    primal, dual, violation = reference.values(*arguments, coefficients, certificate.point, hull)
    assert violation <= 1e-9
    assert solution.gap_at(larger) == pytest.approx((primal - dual) / primal, rel=1e-9)
    if loss.name in ("cone", "relative"):
        # The dual value stays, the primal gains (C' - C) sum V.
        values = problem.box @ loss.value(K @ coefficients, problem.y)
        assert primal == pytest.approx(certificate.primal + (factor - 1) * values)
        assert dual == pytest.approx(certificate.dual)


@pytest.mark.parametrize(
    ("primal", "dual", "gap"),
    [
        (2.0, 1.5, 0.25),
        (0.0, 0.0, 0.0),
        (2.0, 2.5, 0.25),  # No dual value is above a primal one: what is, is wrong by as much.
        (-1.0, -2.0, np.inf),  # A squared length and losses are not negative.
        (np.nan, 0.0, np.inf),
        (np.inf, 0.0, np.inf),
        (1.0, np.nan, np.inf),
    ],
)
def test_values_that_rounding_has_spoilt_certify_nothing(primal, dual, gap):
    assert Certificate(primal, dual, np.zeros((1, 2)), 0.0).gap == gap


def test_primal_and_dual_values_meet_at_a_known_optimum():
    """One row with K = 1 and two classes: min u^2/2 + C max(0, 1 - u) is C - C^2/2 at u = C < 1."""
    problem = MarginProblem(get_loss("cone"), np.array([0]), np.array([0.1]), 2)
    for u, primal, dual in ((0.1, 0.095, 0.095), (0.05, 0.09625, 0.04875)):
        B = np.array([[u, -u]])
        length = float(np.vdot(B, B))
        assert problem.primal_value(B, length) == pytest.approx(primal)
        assert problem.dual_value(B, length) == pytest.approx(dual)
