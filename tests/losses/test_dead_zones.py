import cvxpy as cp
import numpy as np
import pytest

from simplexcoding.losses import dead_zones
from simplexcoding.losses.dead_zones import dead_zone_minimizer


def expected_distance(X, P):
    """Of every point to every vertex, beyond the dead zone, as defined."""
    distances = np.linalg.norm(X[:, None, :] - np.eye(P.shape[1]), axis=2)
    return np.sum(P * np.maximum(distances - np.sqrt(0.5), 0), axis=1)


def draw(rng, n_classes, size):
    """Distributions inside the simplex, near its faces and near its corners."""
    P = rng.dirichlet(np.ones(n_classes), size)
    P *= np.exp(-rng.uniform(0, 12, P.shape) * rng.integers(0, 2, (size, 1)))
    return P / P.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("n_classes", [3, 4, 8])
def test_agrees_with_a_conic_solver(n_classes):
    P = draw(np.random.default_rng(n_classes), n_classes, 6)
    for p, x in zip(P, dead_zone_minimizer(P), strict=True):
        z = cp.Variable(n_classes)
        cost = sum(
            p[k] * cp.pos(cp.norm(z - np.eye(n_classes)[k]) - np.sqrt(0.5))
            for k in range(n_classes)
        )
        cp.Problem(cp.Minimize(cost), [cp.sum(z) == 1]).solve(solver=cp.CLARABEL)
        assert expected_distance(x[None], p[None])[0] <= cost.value + 1e-8
        assert np.allclose(x, z.value, atol=1e-3)


@pytest.mark.parametrize("n_classes", [3, 5, 20])
def test_no_step_in_any_direction_lowers_the_expected_distance(n_classes):
    rng = np.random.default_rng(0)
    P = draw(rng, n_classes, 400)
    X = dead_zone_minimizer(P)
    least = expected_distance(X, P)
    for width in (1e-1, 1e-3, 1e-5, 1e-7):
        step = rng.normal(size=X.shape) * width
        step -= step.mean(axis=1, keepdims=True)
        assert np.all(expected_distance(X + step, P) >= least - 1e-15)


def test_a_rare_third_class_breaks_the_tie_of_two():
    P = np.array([[0.4, 0.599, 0.001], [0.499, 0.5, 0.001], [0.001, 0.3, 0.699], [0.4, 0.6, 1e-5]])
    X = dead_zone_minimizer(P / P.sum(axis=1, keepdims=True))
    assert X.argmax(axis=1).tolist() == [1, 1, 2, 1]
    # By symmetry in x_0 and x_1 the lead is of second order: half of x_2^2 near the midpoint.
    assert X[0, 1] - X[0, 0] == pytest.approx(1.5 * X[0, 2] ** 2, rel=1e-2)


def test_faces_and_corners_have_their_exact_answers():
    P = np.array([[0.4, 0.6, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4])
    expected = [[0.5, 0.5, 0, 0], [0, 1, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4]
    assert np.allclose(dead_zone_minimizer(P), expected, atol=1e-12)
    assert dead_zone_minimizer(np.empty((0, 3))).shape == (0, 3)


def test_nothing_is_returned_unchecked(monkeypatch):
    monkeypatch.setattr(dead_zones, "_MAX_ROUNDS", 1)
    monkeypatch.setattr(dead_zones, "_DESCENTS", 1)
    monkeypatch.setattr(dead_zones, "_newton", lambda x, P, border: x)
    with pytest.raises(ArithmeticError, match="no minimiser found for P = "):
        dead_zone_minimizer(np.array([[0.4, 0.3, 0.2, 0.1]]))
