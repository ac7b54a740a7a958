import pickle

import numpy as np
import pytest

from simplexcoding.blocks import Block
from simplexcoding.design import FeatureSpectrum, Moments
from simplexcoding.kernels import Kernel
from simplexcoding.passes.features import Columns
from simplexcoding.passes.judge import Judge, class_numbers
from simplexcoding.rows import Rows

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3))
y = rng.integers(3, size=40)
w = rng.uniform(0.5, 2, 40)
alphas = np.array([10.0, 0.1])
targets = Rows.labelled(y, 3, w)
spectrum = FeatureSpectrum(X, targets, Moments.of(X, targets))
judge = Judge(spectrum.sample(np.arange(0)), Columns(Kernel("linear")), np.arange(3), alphas)


def test_blocks_add_to_the_left_out_results_of_all_rows():
    sent = pickle.loads(pickle.dumps(judge))
    found = sent(Block(X[:13], y[:13], w[:13]), "a") + sent(Block(X[13:], y[13:], w[13:]), "b")
    assert found.n_rows == 40
    assert np.allclose(found.totals, targets.class_totals)
    for k, alpha in enumerate(alphas):
        result = spectrum.leave_one_out(alpha)
        right = result.predictions() == y
        assert np.allclose(found.hits[k], np.bincount(y, w * right))
        assert np.isclose(found.squared[k], w @ result.squared_errors())


def test_rows_of_no_weight_count_for_nothing():
    empty = judge(Block(X[:2], y[:2], np.zeros(2)), "a")
    assert empty.n_rows == 2
    assert not empty.hits.any()
    assert not (empty.totals.any() or empty.squared.any())


def test_labels_must_be_those_of_the_first_reading():
    assert class_numbers(np.array(["b", "a"]), np.array(["a", "b"]), "x").tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"part 2: y holds 'c', which the first reading"):
        class_numbers(np.array(["c"]), np.array(["a", "b"]), "part 2")
