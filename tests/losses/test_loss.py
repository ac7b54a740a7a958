"""The properties every loss shares are in tests/contracts/test_losses.py."""

import numpy as np
import pytest

from simplexcoding.losses import Loss
from simplexcoding.losses.loss import from_vertex, vertex_scores


def test_a_loss_cannot_be_half_defined():
    with pytest.raises(TypeError, match="abstract"):
        Loss()


def test_vertex_scores_are_the_rows_of_the_code_gram_matrix():
    T = 5
    G = T / (T - 1) * (np.eye(T) - 1 / T)
    assert np.allclose(vertex_scores(np.arange(T), T), G)
    assert np.allclose(from_vertex(G, np.arange(T)), 0)
