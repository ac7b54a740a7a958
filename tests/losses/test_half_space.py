import numpy as np
import pytest

from simplexcoding.losses import HalfSpaceHinge


def test_two_classes_give_the_hinge_of_the_margin():
    margins = np.linspace(-1, 1, 9)
    S = np.column_stack([margins, -margins])
    y = np.zeros(9, int)
    assert np.allclose(HalfSpaceHinge(hull=False).value(3 * S, y), np.maximum(1 - 3 * margins, 0))
    assert np.allclose(HalfSpaceHinge().value(S, y), 1 - margins)


def test_the_hull_ends_where_a_score_falls_below_its_bound():
    edge = np.array([[1.0, -0.5, -0.5], [1.1, -0.55, -0.55]])
    values = HalfSpaceHinge().value(edge, [0, 0])
    assert values[0] == 0 and values[1] == np.inf
    assert np.isnan(HalfSpaceHinge().subgradient(edge, [0, 0])[1]).all()
    assert HalfSpaceHinge(hull=False).value(edge, [0, 0]).tolist() == [0, 0]


@pytest.mark.parametrize("T", [3, 5])
def test_without_the_hull_it_finds_only_the_least_likely_class(T):
    P = np.random.default_rng(0).dirichlet(np.ones(T), size=50)
    u = HalfSpaceHinge(hull=False).conditional_minimizer(P)
    assert np.array_equal(u.argmin(axis=1), P.argmin(axis=1))
    assert np.allclose(np.sort(u, axis=1)[:, 1:], 1)


def test_consistency_depends_on_the_hull_and_the_number_of_classes():
    assert HalfSpaceHinge().is_consistent(9)
    assert HalfSpaceHinge(hull=False).is_consistent(2)
    assert not HalfSpaceHinge(hull=False).is_consistent(3)
    assert HalfSpaceHinge(hull=False).comparison(3) is None
    assert HalfSpaceHinge(hull=False).comparison(2) == (1.0, 1.0)
