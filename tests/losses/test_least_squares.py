import numpy as np

from simplexcoding.losses import LeastSquares


def test_two_classes_give_the_square_loss_of_the_margin():
    margins = np.linspace(-3, 3, 13)
    S = np.column_stack([margins, -margins])
    assert np.allclose(LeastSquares().value(S, np.zeros(13, int)), (1 - margins) ** 2)


def test_conditional_minimizer_holds_the_probabilities():
    P = np.random.default_rng(0).dirichlet(np.ones(5), size=20)
    u = LeastSquares().conditional_minimizer(P)
    assert np.allclose((4 * u + 1) / 5, P)
