import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reference.margin import leave_one_out_balls as by_loops
from reference.margin import leave_one_out_scores
from simplexcoding.design.operators import Spectral
from simplexcoding.inference.leave_one_out_bounds import LeaveOneOutBalls, leave_one_out_balls
from simplexcoding.losses import get_loss, losses_offering
from simplexcoding.solvers.margin import NEEDS, MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.machine import Splitting

LOSSES = {name: get_loss(name) for name in losses_offering(*NEEDS)}
LOSSES["half_space, no hull"] = get_loss("half_space").without_hull()
FINE = Stop(1e-10, 20_000)


def draw(seed, T, kernel="rbf", n=9):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 3)) + rng.normal(size=(T, 3))[y]
    distances = ((X[:, None] - X) ** 2).sum(axis=2)
    K = {
        "rbf": lambda: np.exp(-0.3 * distances),
        "linear": lambda: X @ X.T + 1,
        "poly": lambda: (X @ X.T + 1) ** 2,
        # Projected on five of the rows, as landmarks do.
        "landmarks": lambda: projected(np.exp(-0.3 * distances), 5),
    }[kernel]()
    return K, y, rng.uniform(0.2, 3, size=n)


def projected(K, m):
    return K[:, :m] @ np.linalg.solve(K[:m, :m], K[:m])


def solve(problem, K, stop):
    data = Spectral.of_kernel(K)
    return data, Splitting(data, stop.tol).solve([problem], stop)[0]


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    loss=st.sampled_from(sorted(LOSSES)),
    T=st.integers(2, 4),
    kernel=st.sampled_from(["rbf", "linear", "poly", "landmarks"]),
    cost=st.sampled_from([0.01, 0.3, 10.0]),
    tol=st.sampled_from([0.3, 1e-2, 1e-5]),
)
# Refits that end on the ball's edge, to rounding.
@example(seed=20416, loss="cone", T=4, kernel="rbf", cost=0.3, tol=0.3)
def test_refits_without_a_row_lie_in_its_ball(seed, loss, T, kernel, cost, tol):
    K, y, weights = draw(seed, T, kernel)
    problem = MarginProblem(LOSSES[loss], y, cost * weights, T)
    data, solution = solve(problem, K, Stop(tol, 5000))
    balls = leave_one_out_balls(problem, solution, data)
    refits, slack = leave_one_out_scores(problem, K)
    away = np.linalg.norm(refits - balls.centres, axis=1)
    assert (away <= balls.radii + slack + 1e-9).all()
    right = refits.argmax(axis=1) == y
    two = np.sort(refits, axis=1)[:, -2:]
    clear = two[:, 1] - two[:, 0] > np.sqrt(2) * slack
    assert right[balls.certainly_right(y) & clear].all()
    assert not right[balls.certainly_wrong(y) & clear].any()
    low, high = balls.error_bounds(y, weights)
    if clear.all():
        assert low - 1e-12 <= np.average(~right, weights=weights) <= high + 1e-12


@pytest.mark.parametrize("loss", LOSSES)
def test_at_the_optimum_the_ball_is_half_of_what_the_row_adds(loss):
    K, y, weights = draw(0, 3)
    problem = MarginProblem(LOSSES[loss], y, weights, 3)
    data, solution = solve(problem, K, FINE)
    balls = leave_one_out_balls(problem, solution, data)
    centres, radii = by_loops(K, solution.certificate.point)
    assert np.allclose(balls.centres, centres, atol=1e-4)
    assert np.allclose(balls.radii, radii, atol=1e-4)


@pytest.mark.parametrize("loss", ["cone", "relative", "vertex", "half_space, no hull"])
def test_rows_without_a_dual_change_nothing(loss):
    rng = np.random.default_rng(3)
    y = np.arange(40) % 2 if "half" in loss else np.arange(40) % 3
    X = rng.normal(size=(40, 2)) + 4 * np.array([[0, 1], [1, -1], [-1, -1]])[y]
    K = np.exp(-0.05 * ((X[:, None] - X) ** 2).sum(axis=2))
    problem = MarginProblem(LOSSES[loss], y, np.full(40, 5.0), y.max() + 1)
    stop = Stop(1e-13, 20_000)
    data, solution = solve(problem, K, stop)
    unused = np.flatnonzero(~solution.certificate.point.any(axis=1))
    assert len(unused) >= 5
    for i in unused[:2]:
        (without,) = Splitting(data, stop.tol).solve([problem.without(np.array([i]))], stop)
        assert np.abs(without.scores[i] - solution.scores[i]).max() < 1e-8


def test_bounds_count_rows_by_weight():
    balls = LeaveOneOutBalls(
        np.array([[2.0, -1, -1], [-1, 2, -1], [0.1, -0.1, 0]]), np.array([1.0, 1.0, 1.0])
    )
    y = np.array([0, 0, 0])
    assert balls.certainly_right(y).tolist() == [True, False, False]
    assert balls.certainly_wrong(y).tolist() == [False, True, False]
    assert balls.error_bounds(y) == pytest.approx((1 / 3, 2 / 3))
    assert balls.error_bounds(y, np.array([1.0, 2.0, 5.0])) == pytest.approx((2 / 8, 7 / 8))
