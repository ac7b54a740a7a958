import numpy as np

from simplexcoding.losses import VertexDistance


def test_two_classes_give_a_dead_zone_around_margin_one():
    margins = np.linspace(-3, 3, 25)
    S = np.column_stack([margins, -margins])
    expected = np.maximum(np.abs(1 - margins) - 0.5, 0)
    assert np.allclose(VertexDistance().value(S, np.zeros(25, int)), expected)


def test_the_dead_zone_is_half_a_side():
    for T in (3, 4, 10):
        assert np.isclose(2 * VertexDistance().dead_zone(T), np.sqrt(2 * T / (T - 1)))


def test_two_classes_decode_to_the_likelier_one():
    u = VertexDistance().conditional_minimizer([[0.6, 0.4], [0.1, 0.9], [0.5, 0.5], [1, 0]])
    assert np.array_equal(u, [[0.5, -0.5], [-0.5, 0.5], [0, 0], [0.5, -0.5]])


def test_a_rare_third_class_does_not_leave_a_tie():
    u = VertexDistance().conditional_minimizer([[0.4, 0.599, 0.001]])[0]
    assert u[1] - u[0] > 1e-7


def test_a_third_class_breaks_a_tie_by_the_square_of_its_probability():
    """So the docstrings say from where on rounding hides it."""
    loss = VertexDistance()
    for p in (1e-2, 1e-4, 1e-6):
        u = loss.conditional_minimizer([[0.4, 0.6 - p, p]])[0]
        assert np.isclose((u[1] - u[0]) / p**2, 1.172, rtol=1e-3)
    u = loss.conditional_minimizer([[0.4, 0.6 - 1e-8, 1e-8]])[0]
    assert abs(u[1] - u[0]) <= 4 * np.finfo(float).eps
    assert "lost below p of about 1e-8" in loss.conditional_minimizer.__doc__
    assert "computed minimisers may tie" in loss.is_consistent.__doc__
