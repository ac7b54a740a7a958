import numpy as np
import pytest

from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.calibration import fit_calibration
from simplexcoding.rows import Rows
from simplexcoding.selection.calibrated import CalibratedScoring
from simplexcoding.selection.scoring import SCORINGS

rng = np.random.default_rng(0)
y = rng.integers(3, size=300)
E = 0.8 * rng.normal(size=(300, 3)) + np.array([0.5, 0.0, -0.5])
result = LeaveOneOut(E, np.ones(300), y)


def test_decisions_are_scored_after_calibration():
    targets = Rows.labelled(y, 3)
    scoring = CalibratedScoring(targets, SCORINGS["accuracy"](targets), "vector")
    calibrated = fit_calibration("vector", result.scores(), y)
    expected = np.mean(calibrated.decisions(result.scores()).argmax(axis=1) == y)
    assert scoring.of_result(result) == pytest.approx(expected)
    assert expected > np.mean(result.predictions() == y)


def test_log_loss_after_calibration_is_that_of_its_probabilities():
    targets = Rows.labelled(y, 3)
    scoring = CalibratedScoring(targets, SCORINGS["neg_log_loss"](targets), "vector")
    P = fit_calibration("vector", result.scores(), y).probabilities(result.scores())
    expected = np.mean(np.log(P[np.arange(300), y]))
    assert scoring.of_result(result) == pytest.approx(expected, abs=2e-3)


def test_rows_restrict_it():
    targets = Rows.labelled(y, 3)
    part = np.arange(100)
    scoring = CalibratedScoring(targets, SCORINGS["accuracy"](targets), "vector").rows(part)
    some = LeaveOneOut(E[part], np.ones(100), y[part])
    assert 0.3 < scoring.of_result(some) <= 1
