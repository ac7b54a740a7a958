import numpy as np
import pytest
from scipy.special import softmax

from simplexcoding.arrays import centred
from simplexcoding.inference.free_directions import (
    FreeDirections,
    free_directions,
    prox_points,
)
from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem


def stiffness(free, n, T):
    D = np.zeros((n, T, T))
    for row, e, s in zip(*free, strict=True):
        D[row] += np.outer(e, e) / s
    return D


def pose(name, T, box, seed=0, n=20):
    rng = np.random.default_rng(seed)
    y = rng.integers(T, size=n)
    scores = centred(rng.normal(size=(n, T)))
    problem = MarginProblem(get_loss(name), y, np.full(n, box), T)
    duals = -problem.loss.subgradient(scores, y) * box / problem.kappa
    return problem, scores, duals


@pytest.mark.parametrize("box", [1e-3, 1.0, 300.0])
@pytest.mark.parametrize("T", [2, 4])
def test_smooth_losses_answer_by_their_hessian(T, box):
    problem, scores, duals = pose("logistic", T, box)
    points = prox_points(problem, scores, duals, 0.7)
    D = stiffness(free_directions(problem, points), 20, T)
    p = softmax(scores, axis=1)
    H = p[:, :, None] * np.eye(T) - p[:, :, None] * p[:, None]
    expected = box / problem.kappa * H
    assert np.allclose(D, expected, rtol=1e-5, atol=2e-4 / 0.7)
    again, same = points.answers(problem)
    assert np.allclose(again, scores, atol=1e-9) and np.allclose(same, duals, atol=1e-6 * box)


def test_squared_error_answers_alike_in_every_direction():
    problem, scores, duals = pose("least_squares", 3, 2.0)
    D = stiffness(free_directions(problem, prox_points(problem, scores, duals, 1.0)), 20, 3)
    # V = kappa ||u - G_y||^2.
    assert np.allclose(D, 2 * 2.0 * (np.eye(3) - 1 / 3), atol=1e-6)


@pytest.mark.parametrize("name", ["cone", "relative", "half_space"])
def test_away_from_kinks_nothing_answers(name):
    problem, scores, duals = pose(name, 4, 1.0)
    inside = scores * 0.2  # In the hull, and off its border.
    duals = -problem.loss.subgradient(inside, problem.y) / problem.kappa
    found = free_directions(problem, prox_points(problem, inside, duals, 1.0))
    if name == "half_space":
        assert len(found.rows) == 0
    away = np.abs(problem.loss.prox(inside, problem.y, 1e-9) - inside).max(axis=1)
    assert not np.isin(found.rows, np.flatnonzero(away == 0)).any()


def test_a_cone_is_held_where_its_dual_is_between_bounds():
    T, y = 4, np.array([0, 0])
    problem = MarginProblem(get_loss("cone"), y, np.array([2.0, 2.0]), T)
    # Class 1 on its kink, 2 violated, 3 satisfied; its hinge is half, whole and not at work.
    u = np.array([0.2, -1 / 3, 0.9, 0.0])
    u[3] = -u.sum()
    weights = np.array([0.0, 0.5, 1.0, 0.0])
    g = weights - weights.mean()
    scores = np.array([u, 3 * np.array([1, -1 / 3, -1 / 3, -1 / 3])])
    duals = np.array([-2.0 * g / problem.kappa, np.zeros(T)])
    found = free_directions(problem, prox_points(problem, scores, duals, 1.0))
    assert found.rows.tolist() == [0] and found.compliance.tolist() == [0.0]
    expected = np.eye(T)[1] - 1 / T
    assert abs(found.directions[0] @ expected) / np.linalg.norm(expected) == pytest.approx(1)


def test_a_vertex_machine_is_held_along_and_bends_across_at_its_border():
    T = 3
    problem = MarginProblem(get_loss("vertex"), np.array([0]), np.array([1.0]), T)
    vertex = np.array([1, -0.5, -0.5])
    away = np.array([[-1.0, 2.0, -1.0]])
    away /= np.linalg.norm(away)
    radius = problem.loss.dead_zone(T) / np.sqrt(problem.kappa)
    g = 0.4 * np.sqrt(problem.kappa) * away  # Two fifths of the largest subgradient.
    scores, duals = vertex + radius * away, -g / problem.kappa
    found = free_directions(problem, prox_points(problem, scores, duals, 1.0))
    along = np.abs(found.directions @ away[0])
    order = np.argsort(along)
    assert along[order] == pytest.approx([0, 1], abs=1e-4)
    # Across, the dual turns with the scores: ||b|| / radius.
    across = np.linalg.norm(duals) / radius
    assert found.compliance[order] == pytest.approx([1 / across, 0], rel=1e-4, abs=1e-6)


def test_rows_can_be_asked_for_alone_and_put_together():
    problem, scores, duals = pose("logistic", 3, 1.0)
    points = prox_points(problem, scores, duals, 1.0)
    whole = free_directions(problem, points)
    some = [free_directions(problem, points, rows) for rows in (np.arange(7, 20), np.arange(7))]
    again = FreeDirections.together(some)
    assert np.array_equal(again.rows, whole.rows)
    assert np.allclose(again.compliance, whole.compliance)
    assert len(free_directions(problem, points, np.empty(0, np.intp)).rows) == 0
    assert whole.only(whole.rows < 3).rows.tolist() == [0, 0, 1, 1, 2, 2]
