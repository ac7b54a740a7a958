import numpy as np
import pytest

from simplexcoding import SimplexRidgeClassifier, audit_labels
from simplexcoding.datasets import load
from simplexcoding.demo.story import COVERAGES, choice, tell, tried


@pytest.fixture(scope="module")
def story():
    return tell(load("digits"))


def test_scores_are_those_of_the_model(story):
    split, model = story.split, story.model
    assert story.left_out == pytest.approx(model.best_score_)
    assert story.test == model.score(split.X_test, split.y_test)
    p = model.predict_proba(split.X_test)[np.arange(len(split.y_test)), split.y_test]
    assert story.log_loss == pytest.approx(-np.log(p).mean())


def test_sets_are_as_large_as_they_must_be(story):
    assert [each.asked for each in story.sets] == list(COVERAGES)
    sizes = [each.size for each in story.sets]
    assert sizes == sorted(sizes)
    for each in story.sets:
        # Three standard errors of a share over 540 rows.
        assert each.found > each.asked - 3 * np.sqrt(each.asked * (1 - each.asked) / 540)
    shown = story.sets[1].inside[story.examples].sum(axis=1)
    assert (shown > 1).all() and (np.diff(shown) <= 0).all()


def test_suspects_are_rows_whose_left_out_answer_differs(story):
    split, model = story.split, story.model
    answers = model.loo_scores_.argmax(axis=1)
    for each in story.suspects:
        assert each.given == split.y_train[each.row]
        assert each.suggested == answers[each.row] != each.given
        assert 0 < each.probability <= 1
    # The audit weighs a second opinion: rows that are near to a tie may go either way.
    audit = audit_labels(model, split.y_train)
    assert story.n_contradicted == np.count_nonzero(audit.given != audit.suggested)
    top, second = np.sort(model.loo_scores_, axis=1)[:, :-3:-1].T
    clear = top - second > 0.05
    assert set(np.flatnonzero(clear & (answers != split.y_train))) <= set(
        audit.row[: story.n_contradicted]
    )


def test_a_row_is_forgotten_exactly(story):
    assert story.forgotten.row == story.suspects[0].row
    assert story.forgotten.difference < 1e-8 and story.forgotten.left == 1256


def test_the_choice_is_told_first_among_what_was_tried(story):
    chosen, rows = choice(story.model), tried(story.model, 3)
    assert chosen["kernel"] == story.model.kernel_ and chosen["scaling"] == story.model.scaling_
    assert rows[0][:2] == [chosen["kernel"], chosen["scaling"]] and len(rows) == 3
    given = SimplexRidgeClassifier("linear").fit(story.split.X_train, story.split.y_train)
    assert tried(given) == [] and "gamma" not in choice(given)
