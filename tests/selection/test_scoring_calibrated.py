import numpy as np
import pytest
from scipy.special import softmax

from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.calibration import fit_calibration
from simplexcoding.inference.vector_scaling import left_out_logits
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import SCORINGS, Accuracy, CalibratedScoring, scoring_after

rng = np.random.default_rng(0)
y = rng.integers(3, size=300)
E = 0.8 * rng.normal(size=(300, 3)) + np.array([0.5, 0.0, -0.5])
result = LeaveOneOut(E, np.ones(300), y)


def test_decisions_are_scored_after_calibration():
    targets = Rows.labelled(y, 3)
    scoring = CalibratedScoring(targets, SCORINGS["accuracy"](targets))
    expected = np.mean(left_out_logits(result.scores(), y).argmax(axis=1) == y)
    assert scoring.of_result(result) == pytest.approx(expected)
    assert expected > np.mean(result.predictions() == y)


def test_log_loss_after_calibration_is_that_of_its_probabilities():
    targets = Rows.labelled(y, 3)
    scoring = CalibratedScoring(targets, None)
    P = softmax(left_out_logits(result.scores(), y), axis=1)
    expected = np.mean(np.log(P[np.arange(300), y]))
    assert scoring.of_result(result) == pytest.approx(expected)


def test_rows_restrict_it():
    targets = Rows.labelled(y, 3)
    part = np.arange(100)
    scoring = CalibratedScoring(targets, SCORINGS["accuracy"](targets)).rows(part)
    some = LeaveOneOut(E[part], np.ones(100), y[part])
    assert 0.3 < scoring.of_result(some) <= 1


def test_accuracies_that_rows_gave_themselves_do_not_count():
    # Labels at random, two rows of each class: whatever a calibration gains is its own noise.
    labels = np.repeat(np.arange(40), 2)
    noise = LeaveOneOut(rng.normal(size=(80, 40)), np.ones(80), labels)
    targets = Rows.labelled(labels, 40)
    scored = CalibratedScoring(targets, SCORINGS["accuracy"](targets)).of_result(noise)
    own = fit_calibration("vector", noise.scores(), labels).decisions(noise.scores())
    plain = np.mean(noise.predictions() == labels)
    assert scored <= plain < np.mean(own.argmax(axis=1) == labels)


def test_without_a_rule_a_calibration_per_class_is_judged_by_log_loss():
    targets = Rows.labelled(y, 3)
    assert isinstance(scoring_after("temperature", None, targets, np.arange(3)), Accuracy)
    for by_log_loss in (None, "neg_log_loss"):
        chosen = scoring_after("vector", by_log_loss, targets, np.arange(3))
        assert isinstance(chosen, CalibratedScoring) and chosen.inner is None
    given = scoring_after("vector", "accuracy", targets, np.arange(3))
    assert isinstance(given.inner, Accuracy)
