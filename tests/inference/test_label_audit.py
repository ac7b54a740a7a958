import numpy as np
import pytest

from simplexcoding.inference import audit_left_out, rank_suspects
from simplexcoding.inference.label_audit import class_index

rng = np.random.default_rng(0)
index = rng.integers(3, size=60)
S = np.eye(3)[index] + 0.5 * rng.normal(size=(60, 3))
S -= S.mean(axis=1, keepdims=True)
CLASSES = np.array(["ant", "bee", "cat"])


def test_labels_stand_in_for_indices():
    audit, plain = audit_left_out(S, CLASSES[index], CLASSES), rank_suspects(S, index)
    assert np.array_equal(audit.row, plain.row)
    assert np.array_equal(audit.given, CLASSES[plain.given])
    assert np.array_equal(audit.suggested, CLASSES[plain.suggested])
    assert np.array_equal(audit.errors, plain.errors)
    assert len(audit) == 60


def test_rows_never_left_out_are_not_judged():
    some = S.copy()
    some[[4, 7]] = np.nan
    audit = audit_left_out(some, CLASSES[index], CLASSES)
    kept = np.delete(np.arange(60), [4, 7])
    plain = rank_suspects(S[kept], index[kept])
    assert np.array_equal(audit.row, kept[plain.row])
    assert audit.score == pytest.approx(plain.score)


def test_probabilities_take_the_place_of_scores():
    P = rng.dirichlet(np.ones(3), 60)
    audit = audit_left_out(S, CLASSES[index], CLASSES, P)
    assert audit.given_probability == pytest.approx(P[np.arange(60), index][audit.row])


def test_labels_of_another_model_are_named():
    assert class_index(["cat", "ant"], CLASSES, 2).tolist() == [2, 0]
    with pytest.raises(ValueError, match="y must hold the 3 labels that the model was fitted to"):
        class_index(["cat"], CLASSES, 3)
    with pytest.raises(ValueError, match="got 'dog', which it has not seen"):
        class_index(["dog"], CLASSES, 1)
