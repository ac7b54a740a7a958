from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import random as random_sparse

from simplexcoding.blocks import Block, from_arrays
from simplexcoding.passes import knowledge
from simplexcoding.passes.fold import fold
from simplexcoding.passes.knowledge import Plan, check_same_rows, know
from simplexcoding.selection.scoring import Accuracy

rng = np.random.default_rng(0)
y = rng.integers(3, size=300)
X = rng.normal(size=(3, 4))[y] + rng.normal(size=(300, 4))
linear = {
    "kernel": "linear",
    "gamma": "quantile",
    "degree": 3,
    "coef0": 1.0,
    "landmarks": "auto",
    "alphas": None,
    "intercept": True,
    "class_weight": None,
    "scoring": lambda targets, classes: Accuracy(targets),
    "seed": 0,
}


def readings(stages, **changes):
    def run(source, leaf, stage):
        stages.append(stage)
        return fold(source, leaf)

    return know(from_arrays(X, y, rows=64), Plan(**{**linear, **changes}), run)


def test_a_linear_model_reads_once_and_others_for_their_landmarks_and_weights():
    for changes, expected in (
        ({}, ["moments"]),
        ({"class_weight": "balanced"}, ["sample", "moments"]),
        ({"kernel": "rbf"}, ["sample", "moments"]),
    ):
        stages = []
        readings(stages, **changes)
        assert stages == expected


def test_each_gamma_has_its_moments_and_all_one_sample():
    one, two = readings([], kernel="rbf", gamma=[0.1, 1.0], landmarks=20)
    assert one.features.basis is two.features.basis
    assert one.sample is two.sample
    assert not np.allclose(one.labelled.moments.scatter, two.labelled.moments.scatter)


def test_rows_come_and_go():
    (known,) = readings([])
    less = known.without_rows(Block(X[:50], y[:50]))
    again = less.with_rows(Block(X[:50], y[:50]))
    assert less.gathered.n_rows == 250
    assert np.allclose(again.labelled.moments.scatter, known.labelled.moments.scatter)
    assert np.array_equal(again.sample.keys, known.sample.keys)


def test_wide_rows_make_a_small_sample(monkeypatch):
    monkeypatch.setattr(knowledge, "_SAMPLE_VALUES", 4000)
    (known,) = readings([])
    assert known.sampler.size == 1000
    monkeypatch.setattr(knowledge, "_SAMPLE_VALUES", 2**25)
    assert readings([])[0].sampler.size == knowledge.SAMPLE_ROWS


def test_sparse_rows_are_as_wide_as_what_they_hold():
    words = random_sparse(300, 40_000, 1e-3, "csr", random_state=0)
    sparse, dense = from_arrays(words, y), from_arrays(words[:, :20_000].toarray(), y)
    assert knowledge._sample_size(sparse, Plan(**linear)) == knowledge.SAMPLE_ROWS
    assert knowledge._sample_size(dense, Plan(**linear)) == 2**25 // 20_000


@settings(max_examples=40, deadline=None)
@given(
    distinct=st.integers(2, 60),
    size=st.sampled_from([5, 30]),
    rows=st.sampled_from([64, 600]),
    kernel=st.sampled_from(["linear", "rbf"]),
    balanced=st.booleans(),
    seed=st.integers(0, 99),
)
def test_rows_that_repeat_make_the_sample_of_an_unknown_number(
    distinct, size, rows, kernel, balanced, seed
):
    """A share of all rows may hold fewer distinct ones than the sample has room for."""
    draw = np.random.default_rng(seed)
    pick = draw.integers(distinct, size=600)
    source = from_arrays(draw.normal(size=(distinct, 2))[pick], pick % 2, rows=rows)
    changes = {"kernel": kernel, "landmarks": 3, "class_weight": "balanced" if balanced else None}
    plan = Plan(**{**linear, **changes})

    def run(source, leaf, stage):
        return fold(source, leaf)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "SAMPLE_ROWS", size)
        sources = (source, replace(source, n_rows=None))
        one, two = (know(each, plan, run)[0].sample for each in sources)
    for name in ("keys", "X", "labels", "weights", "counts"):
        assert np.array_equal(getattr(one, name), getattr(two, name))
    assert len(one) == min(size, len(np.unique(pick)))
    assert one.whole == two.whole == (size >= len(np.unique(pick)))


def test_other_rows_at_a_later_reading_are_refused():
    check_same_rows(3, 3)
    with pytest.raises(ValueError, match="blocks gave 0 rows at a later reading and 3"):
        check_same_rows(3, 0)
