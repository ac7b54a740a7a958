import numpy as np

from simplexcoding.losses import Exponential


def test_two_classes_give_the_exponential_of_the_margin():
    margins = np.linspace(-3, 3, 13)
    S = np.column_stack([margins, -margins])
    assert np.allclose(Exponential().value(S, np.zeros(13, int)), np.exp(-margins))


def test_values_beyond_the_largest_float_are_held_there():
    S = np.array([[-1e8, 1e8]])
    assert 1e300 < Exponential().value(S, [0])[0] < np.inf
    assert np.all(np.isfinite(Exponential().subgradient(S, [0])))
