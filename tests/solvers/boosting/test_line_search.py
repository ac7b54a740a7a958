from dataclasses import dataclass
from math import exp, log

import pytest

from simplexcoding.solvers.boosting.line_search import exact_step, vertex_step


@dataclass
class TwoExponentials:
    """A e^(-a) + B e^a, least at log(A/B)/2."""

    A: float
    B: float

    def value(self, a):
        return self.A * exp(-a) + self.B * exp(a)

    def slope(self, a):
        return -self.A * exp(-a) + self.B * exp(a)


@pytest.mark.parametrize("longest", [32.0, 50.0, 1e3])
@pytest.mark.parametrize(("A", "B"), [(2.0, 1.0), (1.0, 1e-9), (1e-30, 1e-31)])
def test_the_step_is_the_minimiser(longest, A, B):
    step = exact_step(TwoExponentials(A, B), longest)
    assert step == pytest.approx(log(A / B) / 2, rel=1e-10)


def test_no_step_uphill_and_none_beyond_the_longest():
    assert exact_step(TwoExponentials(1.0, 2.0), 50.0) == 0.0
    assert exact_step(TwoExponentials(1.0, 0.0), 50.0) == 50.0
    assert exact_step(TwoExponentials(1.0, 1e-9), 2.0) == 2.0


@pytest.mark.parametrize("T", [2, 3, 10])
def test_the_closed_form_is_what_the_search_finds(T):
    pace = T / (2 * (T - 1))
    searched = exact_step(TwoExponentials(5.0, 0.2), 50.0) / pace
    assert vertex_step(5.0, 0.2, T, 50.0) == pytest.approx(searched, rel=1e-10)


def test_the_closed_form_at_its_ends():
    assert vertex_step(0.3, 0.3, 4, 50.0) == 0.0
    assert vertex_step(0.3, 0.0, 4, 50.0) == 50.0
    assert vertex_step(1.0, 1e-300, 4, 50.0) == 50.0
