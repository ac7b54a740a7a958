import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score

from simplexcoding.design import LeaveOneOut
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import SCORINGS

rng = np.random.default_rng(0)
y = rng.choice(3, size=90, p=[0.6, 0.3, 0.1])
w = rng.uniform(0.5, 2, 90)
result = LeaveOneOut(0.5 * rng.normal(size=(90, 3)), rng.uniform(0.5, 1, 90), y)
predictions = result.predictions()


@pytest.mark.parametrize("weights", [None, w], ids=["", "weighted"])
def test_scores_agree_with_scikit_learn(weights):
    targets = Rows.labelled(y, 3, weights)

    def score(name):
        return SCORINGS[name](targets).of_result(result)

    assert score("accuracy") == pytest.approx(accuracy_score(y, predictions, sample_weight=weights))
    assert score("balanced_accuracy") == pytest.approx(
        balanced_accuracy_score(y, predictions, sample_weight=weights)
    )
    errors = result.squared_errors()
    assert score("neg_mean_squared_error") == pytest.approx(-np.average(errors, weights=weights))


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "neg_mean_squared_error"])
def test_sums_over_blocks_give_the_score_of_all_rows(name):
    scoring = SCORINGS[name](Rows.labelled(y, 3, w))
    hits = np.bincount(y, w * (predictions == y))[None]
    squared = np.array([w @ result.squared_errors()])
    assert scoring.by_scan
    score = scoring.of_sums(hits, squared, np.bincount(y, w))
    assert score[0] == pytest.approx(scoring.of_result(result))


def test_what_hits_do_not_decide_says_so():
    scoring = SCORINGS["neg_log_loss"](Rows.labelled(y, 3))
    assert not (scoring.by_scan or scoring.by_hits or scoring.noisy)
    for ask in (lambda: scoring.of_scan(None), lambda: scoring.of_sums(None, None, None)):
        with pytest.raises(NotImplementedError, match="NegLogLoss is not decided by hits"):
            ask()


def test_log_loss_is_at_its_best_temperature():
    score = SCORINGS["neg_log_loss"](Rows.labelled(y, 3)).of_result(result)
    S = result.scores()
    for beta in np.linspace(0.01, 10, 50):
        logits = beta * S
        own = logits[np.arange(90), y]
        loss = np.mean(np.log(np.exp(logits).sum(axis=1)) - own)
        assert score >= -loss - 1e-9


def test_rows_restrict_a_scoring():
    part = np.arange(30)
    scoring = SCORINGS["accuracy"](Rows.labelled(y, 3, w)).rows(part)
    some = LeaveOneOut(result.errors[part], result.slack[part], y[part])
    expected = accuracy_score(y[part], predictions[part], sample_weight=w[part])
    assert scoring.of_result(some) == pytest.approx(expected)
