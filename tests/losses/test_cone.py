import numpy as np

from simplexcoding.losses import ConeHinge, HalfSpaceHinge


def test_two_classes_give_the_hinge_of_the_margin():
    margins = np.linspace(-3, 3, 13)
    S = np.column_stack([margins, -margins])
    assert np.allclose(ConeHinge().value(S, np.zeros(13, int)), np.maximum(1 - margins, 0))


def test_it_is_the_half_space_hinge_with_the_hull_as_an_exact_penalty():
    """V_SC = (1 - u_y) + sum over k != y of max(0, -1/(T-1) - u_k)."""
    rng = np.random.default_rng(0)
    for T in (2, 3, 6):
        S = rng.normal(size=(100, T))
        S -= S.mean(axis=1, keepdims=True)
        y = rng.integers(T, size=100)
        outside = np.maximum(-1 / (T - 1) - S, 0)
        outside[np.arange(100), y] = 0
        expected = 1 - S[np.arange(100), y] + outside.sum(axis=1)
        assert np.allclose(ConeHinge().value(S, y), expected)
        inside = S / (np.abs(S).max() * T)
        assert np.allclose(ConeHinge().value(inside, y), HalfSpaceHinge().value(inside, y))
