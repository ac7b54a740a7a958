import numpy as np

from simplexcoding.losses import Logistic


def test_two_classes_give_the_logistic_loss_of_twice_the_margin():
    margins = np.linspace(-3, 3, 13)
    S = np.column_stack([margins, -margins])
    expected = np.log1p(np.exp(-2 * margins))
    assert np.allclose(Logistic().value(S, np.zeros(13, int)), expected)


def test_the_minimizer_holds_the_probabilities_in_its_softmax():
    P = np.random.default_rng(0).dirichlet(np.ones(4), size=9)
    u = Logistic().conditional_minimizer(P)
    softmax = np.exp(u) / np.exp(u).sum(axis=1, keepdims=True)
    assert np.allclose(softmax, P)
