import numpy as np
import pytest

from simplexcoding.compiled import row_function
from simplexcoding.losses import CATALOGUE, HalfSpaceHinge, get_loss
from simplexcoding.solvers.stochastic.learning import Descent
from simplexcoding.solvers.stochastic.row_step import running_means, step_in_scores


def test_running_means_are_the_means():
    rng = np.random.default_rng(0)
    w, squares = rng.random(20), rng.random(20)
    means = np.zeros(2)
    for t in range(20):
        running_means(means, t + 1, w[t], squares[t])
    assert np.allclose(means, [w.mean(), (w * squares).mean()])


@pytest.mark.parametrize("name", CATALOGUE)
@pytest.mark.parametrize("weight", [0.1, 1.0, 50.0])
def test_a_step_never_carries_its_row_past_zero_loss_of_the_linear_model(name, weight):
    """With lambda tiny, V(u) + <g, u' - u> >= 0, and the loss falls."""
    rng = np.random.default_rng(3)
    T = 5
    loss = get_loss(name).without_hull()
    rule = Descent(loss, project=False).rule(T)
    for square in (1e-6, 1.0, 1e6):
        u = rng.normal(size=T) * 3
        u -= u.mean()
        b = np.zeros(T)
        d = np.empty(T)
        y = int(u.argmin())
        means = np.array([1.0, square])
        shrink, _, value = step_in_scores(
            row_function(loss.row_step),
            rule,
            1e-12,
            1,
            weight,
            square,
            means,
            y,
            u.copy(),
            b,
            0.0,
            d,
        )
        assert np.isclose(value, loss.value(u[None], [y])[0])
        moved = shrink * (u + d * square) + b
        model = loss.value(u[None], [y]) + (moved - u) @ loss.subgradient(u[None], [y])[0]
        assert model[0] >= -1e-6 * loss.value(u[None], [y])[0]
        assert loss.value(moved[None], [y])[0] < loss.value(u[None], [y])[0]
        assert np.isclose(b.sum(), 0, atol=1e-9)


def test_the_first_row_goes_to_its_own_vertex_where_nothing_holds_it_back():
    """From u = 0 the half-space step of 1/(reach ||x||^2) ends at the vertex itself."""
    T = 6
    rule = Descent(HalfSpaceHinge(hull=False), project=False, intercept=False).rule(T)
    d, b = np.empty(T), np.zeros(T)
    gradient = row_function(HalfSpaceHinge(hull=False).row_step)
    step_in_scores(
        gradient, rule, 1e-14, 1, 1.0, 4.0, np.array([1.0, 4.0]), 2, np.zeros(T), b, 0.0, d
    )
    assert np.allclose(d * 4.0, (T * np.eye(T)[2] - 1) / (T - 1))
