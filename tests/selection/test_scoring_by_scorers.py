import numpy as np
import pytest
from sklearn.metrics import f1_score, log_loss, make_scorer, roc_auc_score

from simplexcoding.design import LeaveOneOut
from simplexcoding.inference.calibration import regression_probabilities
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import make_scoring

rng = np.random.default_rng(0)
y = rng.integers(3, size=60)
classes = np.array(["a", "b", "c"])
result = LeaveOneOut(0.6 * rng.normal(size=(60, 3)), np.ones(60), y)


@pytest.mark.parametrize("weights", [None, rng.uniform(1, 2, 60)], ids=["", "weighted"])
def test_scikit_learn_scorers_see_left_out_predictions(weights):
    targets = Rows.labelled(y, 3, weights)
    labels, predicted = classes[y], classes[result.predictions()]
    options = dict(average="macro", sample_weight=weights)
    expected = f1_score(labels, predicted, **options)
    assert make_scoring("f1_macro", targets, classes).of_result(result) == pytest.approx(expected)
    scorer = make_scorer(log_loss, response_method="predict_proba", greater_is_better=False)
    proba = regression_probabilities(result.scores())
    expected = -log_loss(labels, proba, sample_weight=weights)
    assert make_scoring(scorer, targets, classes).of_result(result) == pytest.approx(expected)


@pytest.mark.parametrize(
    "scoring",
    [
        lambda model, X, y: np.mean(model.predict(X) == y),
        make_scorer(lambda y, predicted: np.mean(y == predicted)),
    ],
)
def test_weights_are_for_scorers_that_take_them(scoring):
    weighted = make_scoring(scoring, Rows.labelled(y, 3, rng.uniform(1, 2, 60)), classes)
    assert weighted.of_result(result) == pytest.approx(np.mean(result.predictions() == y))


def test_two_classes_have_one_decision():
    two = LeaveOneOut(result.errors[:, :2], result.slack, y % 2)
    found = make_scoring("roc_auc", Rows.labelled(y % 2, 2), classes[:2]).of_result(two)
    assert found == pytest.approx(roc_auc_score(y % 2, two.scores()[:, 1]))


def test_rows_restrict_a_scorer():
    part = np.arange(20)
    some = LeaveOneOut(result.errors[part], result.slack[part], y[part])
    scoring = make_scoring("f1_macro", Rows.labelled(y, 3), classes).rows(part)
    expected = f1_score(y[part], some.predictions(), average="macro")
    assert scoring.of_result(some) == pytest.approx(expected)


def test_misuse_is_named():
    with pytest.raises(ValueError, match="scoring must be the name of a scorer"):
        make_scoring(3, Rows.labelled(y, 3), classes)
    with pytest.raises(ValueError, match="no_such"):
        make_scoring("no_such", Rows.labelled(y, 3), classes)


def test_a_callable_may_ask_the_left_out_classifier_for_its_score():
    weights = rng.uniform(1, 2, 60)
    targets = Rows.labelled(y, 3, weights)
    right = result.predictions() == y
    plain = make_scoring(lambda model, X, labels: model.score(X, labels), targets, classes)
    assert plain.of_result(result) == pytest.approx(right.mean())

    def weighted(model, X, labels, sample_weight):
        return model.score(X, labels, sample_weight)

    found = make_scoring(weighted, targets, classes).of_result(result)
    assert found == pytest.approx(np.average(right, weights=weights))


@pytest.mark.parametrize("answer", [np.nan, "0.9", [0.9, 0.1], None])
def test_a_scorer_that_gives_no_number_is_named(answer):
    scoring = make_scoring(lambda *_: answer, Rows.labelled(y, 3), classes)
    with pytest.raises(ValueError, match="scoring must return a number for left-out rows, got"):
        scoring.of_result(result)
