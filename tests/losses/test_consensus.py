import numpy as np
import pytest

from simplexcoding.losses import get_loss
from simplexcoding.losses.consensus import consensus_minimizer


@pytest.mark.parametrize("name", ["least_squares", "cone", "half_space", "exponential", "logistic"])
@pytest.mark.parametrize("T", [2, 4])
def test_agrees_with_the_closed_forms(name, T):
    loss = get_loss(name)
    P = np.random.default_rng(T).dirichlet(np.ones(T), size=5)
    assert np.allclose(consensus_minimizer(loss.prox, P), loss.conditional_minimizer(P), atol=1e-6)


def test_no_rows_give_no_rows():
    assert consensus_minimizer(get_loss("cone").prox, np.empty((0, 3))).shape == (0, 3)
