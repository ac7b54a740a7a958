import numpy as np
import pytest

from simplexcoding.blocks import Block
from simplexcoding.design import LabelMoments
from simplexcoding.kernels import Kernel
from simplexcoding.passes.features import Columns
from simplexcoding.passes.gather import Gather, LabelCounts, present_rows, with_class_weight
from simplexcoding.passes.sample import Sampler

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 2))
y = rng.integers(3, size=30)
w = rng.integers(3, size=30).astype(float)
gather = Gather(Sampler(100, 0), (Columns(Kernel("linear")),), True, {0: 2.0})


def test_blocks_add_to_what_is_known_of_all_rows():
    parts = [gather(Block(X[k : k + 10], y[k : k + 10], w[k : k + 10]), "b") for k in (0, 10, 20)]
    found = parts[0] + parts[1] + parts[2]
    kept = w > 0
    weights = (w * np.where(y == 0, 2.0, 1.0))[kept]
    plain = LabelMoments.of(X[kept], y[kept], weights)
    assert (found.n_rows, found.n_kept, found.n_features) == (30, int(kept.sum()), 2)
    assert np.allclose(found.moments[0].moments.scatter, plain.moments.scatter)
    assert np.allclose(found.counts.totals, np.bincount(y, w))
    assert found.sample.counts.sum() == kept.sum()
    assert np.isclose(found.sample.weights @ found.sample.counts, weights.sum())
    left = found - parts[1]
    assert np.allclose(left.moments[0].moments.mean, (parts[0] + parts[2]).moments[0].moments.mean)
    assert np.allclose(left.counts.totals, (parts[0] + parts[2]).counts.totals)


def test_balanced_weights_are_scikit_learns():
    from sklearn.utils.class_weight import compute_class_weight

    counts = LabelCounts(np.array([0, 2]), np.array([1.0, 4.0]))
    counts = counts + LabelCounts(np.array([1, 2]), np.array([3.0, 2.0]))
    labels = np.repeat([0, 1, 2], [1, 3, 6])
    plain = compute_class_weight("balanced", classes=np.arange(3), y=labels)
    assert np.allclose(list(counts.balanced().values()), plain)


def test_labels_the_weights_do_not_name_weigh_one():
    assert with_class_weight(np.array([0, 1]), None, {0: 3.0}).tolist() == [3.0, 1.0]
    assert with_class_weight(np.array([0, 1]), None, None) is None


def test_errors():
    with pytest.raises(ValueError, match="part 3: y holds fractions"):
        present_rows(Block(np.eye(1), np.array([0.5])), "part 3")
    with pytest.raises(ValueError, match="blocks have 2 and 1 columns"):
        gather(Block(X, y), "a") + gather(Block(X[:, :1], y), "b")
