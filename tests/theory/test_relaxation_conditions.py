"""The paper's two conditions on a relaxation: the first holds, the second cannot."""

import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, get_loss

LOSSES = [get_loss(name) for name in CATALOGUE] + [get_loss("half_space", hull=False)]
every_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)
every_size = pytest.mark.parametrize("T", [2, 3, 4, 7])


def vertices(T):
    return T / (T - 1) * (np.eye(T) - 1 / T)


def half_way(T, lead=0.0):
    """Scores on the edge between the first two vertices, where the second leads."""
    G = vertices(T)
    u = (G[0] + G[1]) / 2
    u[:2] += -lead, lead
    return u


def draw(loss, T, size):
    """Wrongly decoded scores, with the label 0, in the hull where asked."""
    rng = np.random.default_rng(T)
    mixture = rng.dirichlet(np.full(T, 0.5), size)
    near = half_way(T, 1e-9) + 0.01 * rng.normal(size=(size // 4, T)) * rng.random((size // 4, 1))
    S = (T * mixture - 1) / (T - 1)
    if not getattr(loss, "hull", False):
        S *= rng.choice([0.1, 1, 3], (size, 1))
        S[: size // 4] = near
    S -= S.mean(axis=1, keepdims=True)
    return S[S.argmax(axis=1) != 0]


@every_loss
@every_size
def test_first_condition_a_wrong_vertex_costs_one(loss, T):
    wrong = loss.value(vertices(T)[1:], np.zeros(T - 1, int))
    if loss.name == "vertex":
        assert np.allclose(wrong, np.sqrt(2 * T / (T - 1)) - loss.dead_zone(T))
        assert T == 2 or np.all(wrong < 1)
    else:
        assert np.all(wrong >= 1 - 1e-12)


@every_loss
@every_size
def test_second_condition_fails_at_the_class_that_f_decodes_to(loss, T):
    """V(y, c_b) <= V(y, f) with b decoded from f: half-way to b costs less than b itself."""
    u = half_way(T, lead=0.01)
    assert u.argmax() == 1
    at_f, at_vertex = loss.value(np.stack([u, vertices(T)[1]]), [0, 0])
    assert at_f < 0.9 * at_vertex


def least_cost(loss, T):
    """What a wrong decision costs at least, and where it is attained (or nearly)."""
    edge = half_way(T)
    if loss.name in ("least_squares", "cone") or getattr(loss, "hull", False):
        return T / (2 * (T - 1)), edge
    if loss.name == "relative":
        return np.sqrt(T / (2 * (T - 1))), 50 * edge if T > 2 else edge
    if loss.name == "exponential":
        return 1.0, 200 * edge
    if loss.name == "logistic":
        return np.log(2), 200 * edge
    if loss.name == "vertex":
        return (0.0 if T > 2 else 0.5), edge
    return (0.0, 2 * (T - 1) * edge) if T > 2 else (1.0, edge)


@every_loss
@every_size
def test_what_holds_instead_a_wrong_decision_costs_no_less_than_a_constant(loss, T):
    constant, attained = least_cost(loss, T)
    S = draw(loss, T, 20_000)
    assert len(S) > 5000
    assert loss.value(S, np.zeros(len(S), int)).min() >= constant - 1e-9
    assert loss.value(attained[None], [0])[0] == pytest.approx(constant, abs=1e-9)


@pytest.mark.parametrize("name", ["cone", "least_squares", "logistic", "exponential", "relative"])
def test_so_the_expected_loss_bounds_the_error(name):
    rng = np.random.default_rng(0)
    loss, T = get_loss(name), 5
    S = rng.normal(size=(5000, T)) * rng.choice([0.1, 1, 3], (5000, 1))
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(T, size=5000)
    constant, _ = least_cost(loss, T)
    assert np.mean(S.argmax(axis=1) != y) <= loss.value(S, y).mean() / constant


def test_the_counterexample_that_the_page_on_theory_prints():
    values = get_loss("cone").value(np.array([[0.24, 0.26, -0.5], [-0.5, 1.0, -0.5]]), [0, 0])
    assert np.allclose(values, [0.76, 1.5])
