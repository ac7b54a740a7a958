import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays, from_loader

batches = [(np.eye(2), [0, 1]), (np.ones((1, 2)), [2], [0.5])]


class Tensor:
    """A tensor that lives elsewhere and has a gradient."""

    def __init__(self, values):
        self._values, self._moves = np.asarray(values), ()

    def _moved(self, move):
        copy = Tensor(self._values)
        copy._moves = (*self._moves, move)
        return copy

    def detach(self):
        return self._moved("detach")

    def cpu(self):
        return self._moved("cpu")

    def __array__(self, dtype=None, copy=None):
        assert self._moves == ("detach", "cpu")
        return self._values


def test_batches_become_blocks_every_time():
    source = from_loader(batches)
    for _ in range(2):
        first, second = source
        assert np.array_equal(first.X, np.eye(2))
        assert first.weight is None
        assert second.weight.tolist() == [0.5]
    assert from_loader(source) is source


def test_tensors_are_brought_here():
    (block,) = from_loader([(Tensor([[1.0]]), Tensor([3]))])
    assert block.X.tolist() == [[1.0]]
    assert block.y.tolist() == [3]


def test_sparse_batches_stay_sparse():
    (block,) = from_loader([(csr_matrix(np.eye(2)), [0, 1])])
    assert block.X.format == "csr"


def test_a_generator_is_refused_with_the_cure_or_read_once():
    with pytest.raises(ValueError, match=r"generator, which can be read only once.*passes=1"):
        from_loader(batch for batch in batches)
    source = from_loader((batch for batch in batches), passes=1)
    assert source.once
    assert len(list(source)) == 2


def test_errors():
    with pytest.raises(TypeError, match="blocks must be an iterable"):
        from_loader(3)
    with pytest.raises(ValueError, match="batch 1 of the loader must be"):
        list(from_loader([batches[0], np.eye(2)]))


def test_a_shuffling_loader_of_pytorch_gives_the_fit_of_the_arrays():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=200)
    X = (rng.normal(size=(3, 4))[y] + rng.normal(size=(200, 4))).astype(np.float32)
    rows = torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(y))
    loader = torch.utils.data.DataLoader(rows, batch_size=64, shuffle=True)
    found = SimplexRidgeClassifier("linear").fit_blocks(loader)
    expected = SimplexRidgeClassifier("linear").fit_blocks(from_arrays(X, y))
    assert found.alpha_ == pytest.approx(expected.alpha_, rel=1e-9)
    assert found.best_score_ == expected.best_score_
    assert np.allclose(found.coef_, expected.coef_, atol=1e-6)
