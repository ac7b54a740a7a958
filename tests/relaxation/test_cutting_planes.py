import numpy as np
import pytest

from simplexcoding.losses import CATALOGUE, ConeHinge, HalfSpaceHinge, RelativeHinge
from simplexcoding.relaxation.cutting_planes import is_minimal

HINGES = [ConeHinge(), HalfSpaceHinge(hull=False), RelativeHinge()]


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("loss", HINGES, ids=repr)
def test_proves_the_minimiser_of_a_hinge(loss, n_classes):
    P = np.random.default_rng(0).dirichlet(np.full(n_classes, 2.0), 5)
    for p, best in zip(P, loss.conditional_minimizer(P), strict=True):
        assert is_minimal(loss, best, p, tolerance=1e-7)


@pytest.mark.parametrize("name", CATALOGUE)
def test_refutes_scores_a_little_off_the_minimiser(name):
    loss = CATALOGUE[name]()
    p = np.array([0.5, 0.3, 0.2])
    best = loss.conditional_minimizer(p[None])[0]
    assert not is_minimal(loss, 0.8 * best, p)


def test_knows_the_flat_bottom_of_the_half_space_hinge():
    p = np.array([0.5, 0.3, 0.2])
    assert is_minimal(HalfSpaceHinge(hull=False), np.array([1.0, 1.0, -2.0]), p)
    assert not is_minimal(HalfSpaceHinge(hull=False), np.array([1.0, -0.5, -0.5]), p)


def test_tolerance_is_what_decides():
    p = np.array([0.5, 0.3, 0.2])
    off = np.array([1.0, -0.5, -0.5]) + 1e-4 * np.array([0.0, 1.0, -1.0])
    assert not is_minimal(RelativeHinge(), off, p, tolerance=1e-9)
    assert is_minimal(RelativeHinge(), off, p, tolerance=1e-3)
