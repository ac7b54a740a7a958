import numpy as np
import pytest

from simplexcoding.solvers.splitting.balance import Iterate, growth, imbalance


def iterate(apart, moved):
    """Halves so far apart, the first moved so far; scores and dual part of length one."""
    zero, one = np.zeros((4, 3)), np.full((4, 3), 12**-0.5)
    return Iterate(H=one, Z=zero, before=moved * one, S=apart * one)


def test_imbalance_compares_relative_residuals():
    # With Z = 0 the halves are apart by all of S, whatever its length.
    assert imbalance(iterate(5.0, 0.1)) == pytest.approx(10.0)
    assert imbalance(iterate(5.0, 2.0)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("wanted", "steps"), [(1e-3, 0), (1.0, 0), (4.0, 0), (6.0, 1), (9.0, 1), (81.0, 2)]
)
def test_rho_grows_by_the_root_of_the_imbalance_and_never_falls(wanted, steps):
    assert growth(iterate(1.0, 1 / wanted), left=1e6, price=10.0) == steps


def test_an_operator_has_to_pay():
    balanced, off = iterate(1.0, 1.0), iterate(1.0, 1 / 9)
    assert growth(off, left=100.0, price=49.0) == 1
    assert growth(off, left=100.0, price=51.0) == 0
    assert growth(off, left=np.inf, price=np.inf) == 0
    assert growth(off, left=np.inf, price=1e9) == 1
    assert growth(balanced, left=np.inf, price=1.0) == 0


def test_iterates_at_rest_have_a_balance():
    zero = np.zeros((2, 2))
    assert growth(Iterate(zero, zero, zero, zero), left=100.0, price=1.0) == 0
