import numpy as np
import pytest

from simplexcoding.losses import consensus, get_loss
from simplexcoding.losses.consensus import consensus_minimizer


@pytest.mark.parametrize("name", ["least_squares", "cone", "half_space", "exponential", "logistic"])
@pytest.mark.parametrize("T", [2, 4])
def test_agrees_with_the_closed_forms(name, T):
    loss = get_loss(name)
    P = np.random.default_rng(T).dirichlet(np.ones(T), size=5)
    assert np.allclose(consensus_minimizer(loss.prox, P), loss.conditional_minimizer(P), atol=1e-6)


def test_no_rows_give_no_rows():
    assert consensus_minimizer(get_loss("cone").prox, np.empty((0, 3))).shape == (0, 3)


def test_an_answer_that_has_not_converged_is_refused(monkeypatch):
    monkeypatch.setattr(consensus, "_MAX_ITER", 40)
    with pytest.raises(ArithmeticError, match="write a conditional_minimizer"):
        consensus_minimizer(get_loss("vertex").prox, np.array([[0.4, 0.599, 0.001]]))


@pytest.mark.parametrize("T", [3, 5])
def test_agrees_with_the_vertex_distance_away_from_faces(T):
    P = np.random.default_rng(T).dirichlet(np.full(T, 5.0), size=5)
    loss = get_loss("vertex")
    assert np.allclose(consensus_minimizer(loss.prox, P), loss.conditional_minimizer(P), atol=1e-4)
