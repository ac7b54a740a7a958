import numpy as np
import pytest

from simplexcoding.design import LeaveOneOut
from simplexcoding.rows import Rows
from simplexcoding.selection.least_log_loss import Look, Valley
from simplexcoding.selection.scoring import NegLogLoss

ALPHAS = 10.0 ** np.linspace(2, -6, 81)
TARGETS = Rows.labelled(np.array([0, 1, 0, 1]), 2)


class Judge:
    """The log-loss is a parabola in log10 alpha with its lowest point at 10^-2.3."""

    def of_result(self, result):
        return -1 - (result.errors[0, 0] + 2.3) ** 2


class Asked:
    def __init__(self, lost=-np.inf):
        self.lost = lost

    def roughly(self, alpha):
        slack = np.full(4, 0.5)
        slack[0] = 0.0 if np.log10(alpha) < self.lost else 0.5
        return LeaveOneOut(np.full((4, 2), np.log10(alpha)), slack, TARGETS.y), True


def test_questions_are_half_a_decade_apart():
    assert Look.along(NegLogLoss(TARGETS), ALPHAS).stride == 5
    assert Look.along(NegLogLoss(TARGETS), ALPHAS[:1]).stride == 1


@pytest.mark.parametrize("start", [0.0, -2.0, -5.5])
def test_the_lowest_point_is_found_from_both_sides(start):
    look = Look.along(Judge(), ALPHAS)
    valley = look.descend(Asked(), look.nearest(10.0**start))
    assert abs(np.log10(ALPHAS[valley.place]) + 2.3) <= 0.26
    assert valley.loss == min(valley.asked.values())
    assert np.log10(look.between(valley.bottom)) == pytest.approx(-2.3)


def test_alphas_at_which_rounding_has_lost_a_row_are_not_asked_again():
    look = Look.along(Judge(), ALPHAS)
    valley = look.descend(Asked(lost=-1.1), look.nearest(1.0))
    assert np.log10(ALPHAS[valley.place]) == pytest.approx(-1.0)
    assert all(ALPHAS[place] > 0.07 for place in valley.places)
    # One neighbour is unknown, so there is no parabola.
    assert valley.bottom == valley.place


def test_a_curve_that_bends_down_has_no_lowest_point():
    assert Valley(10, 1.0, {5: 1.0, 10: 1.0, 15: 0.9}, 5).bottom == 10
