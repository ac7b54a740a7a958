import numpy as np

from simplexcoding.losses import RelativeHinge


def test_two_classes_give_the_hinge_of_the_margin():
    """sqrt(1/4) max(0, 2 - 2m) = max(0, 1 - m)."""
    margins = np.linspace(-3, 3, 13)
    S = np.column_stack([margins, -margins])
    assert np.allclose(RelativeHinge().value(S, np.zeros(13, int)), np.maximum(1 - margins, 0))


def test_a_lead_of_the_margin_over_all_costs_nothing():
    S = np.array([[1.0, -0.5, -0.5]])
    assert RelativeHinge().value(S, [0]) == 0
    assert RelativeHinge().value(0.9 * S, [0]) > 0


def test_conditional_minimizers_lie_on_multiples_of_the_margin():
    """The expected loss is piecewise linear in differences of scores, broken at multiples."""
    P = np.random.default_rng(3).dirichlet(np.ones(4), size=10)
    u = RelativeHinge().conditional_minimizer(P)
    gaps = np.diff(np.sort(u, axis=1), axis=1) / (4 / 3)
    assert np.allclose(gaps, np.round(gaps), atol=1e-6)
