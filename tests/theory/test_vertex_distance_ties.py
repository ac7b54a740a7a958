"""Two dead zones of the vertex distance touch: a tie where only two classes are possible."""

import numpy as np
import pytest

from simplexcoding.losses import VertexDistance
from simplexcoding.relaxation import conditional_loss


@pytest.mark.parametrize("n_classes", [3, 4, 6])
def test_two_possible_classes_tie_at_the_minimum(n_classes):
    P = np.zeros((1, n_classes))
    P[0, :2] = 0.4, 0.6
    middle = np.full((1, n_classes), -1 / (n_classes - 1))
    middle[0, :2] += n_classes / (n_classes - 1) / 2
    assert conditional_loss(VertexDistance(), middle, P) == pytest.approx(0, abs=1e-12)
    # It is the only minimiser: any step towards either vertex costs the other class.
    for k in (0, 1):
        vertex = np.full((1, n_classes), -1 / (n_classes - 1))
        vertex[0, k] = 1
        step = middle + 0.01 * (vertex - middle)
        assert conditional_loss(VertexDistance(), step, P)[0] > 1e-3


@pytest.mark.parametrize("n_classes", [3, 4, 6])
def test_a_possible_third_class_breaks_the_tie(n_classes):
    P = np.full((1, n_classes), 0.1 / (n_classes - 2))
    P[0, :2] = 0.4, 0.5
    S = VertexDistance().conditional_minimizer(P)[0]
    assert S.argmax() == 1
    assert S[1] - S[0] > 1e-3
