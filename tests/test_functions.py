import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding import functions
from simplexcoding.coding import SimplexCode
from simplexcoding.functions import Ensemble, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_linear_function_is_one_product(rng, sparse):
    X, W, b = rng.standard_normal((9, 4)), rng.standard_normal((4, 3)), rng.standard_normal(3)
    scores = LinearFunction(W, b).scores(csr_matrix(X) if sparse else X)
    assert type(scores) is np.ndarray
    np.testing.assert_allclose(scores, X @ W + b)


@pytest.mark.parametrize("block", [1, 7, 1000])
@pytest.mark.parametrize("name", ["rbf", "laplacian", "poly"])
def test_an_expansion_is_the_sum_over_its_basis_however_it_is_cut(rng, monkeypatch, block, name):
    monkeypatch.setattr(functions, "_BLOCK_ENTRIES", block)
    X, basis = rng.standard_normal((9, 4)), rng.standard_normal((5, 4))
    weights, b = rng.standard_normal((5, 3)), rng.standard_normal(3)
    kernel = Kernel(name, 0.3)
    slow = [
        sum(kernel.matrix(x[None], z[None])[0, 0] * w for z, w in zip(basis, weights, strict=True))
        for x in X
    ]
    scores = KernelExpansion(kernel, basis, weights, b).scores(X)
    np.testing.assert_allclose(scores, slow + b, rtol=1e-10, atol=1e-12)


def test_an_expansion_of_a_precomputed_kernel_reads_the_columns_of_its_basis(rng):
    K, weights = rng.standard_normal((6, 5)), rng.standard_normal((2, 3))
    basis = np.array([4, 1])
    scores = KernelExpansion(Kernel("precomputed"), basis, weights, np.zeros(3)).scores(K)
    np.testing.assert_allclose(scores, K[:, basis] @ weights)


def test_single_precision_stays_single(rng):
    X = rng.standard_normal((6, 4)).astype(np.float32)
    weights, b = np.ones((2, 3), np.float32), np.zeros(3, np.float32)
    expansion = KernelExpansion(Kernel("rbf", 0.5), X[:2], weights, b)
    assert expansion.scores(X).dtype == np.float32
    assert LinearFunction(np.ones((4, 3), np.float32), b).scores(X).dtype == np.float32


class Constant:
    """Two rounds that each add the same vector."""

    def __init__(self, value, rounds=2):
        self.value, self.rounds = value, rounds

    def __len__(self):
        return self.rounds

    def add(self, X, F):
        F += self.rounds * self.value

    def staged(self, X, F):
        for _ in range(self.rounds):
            F += self.value
            yield F


def test_an_ensemble_codes_the_sum_of_its_rounds(rng):
    X, value = np.zeros((4, 2)), rng.standard_normal(2)
    ensemble = Ensemble(Constant(value), 3)
    expected = SimplexCode(3).scores(np.tile(2 * value, (4, 1)))
    np.testing.assert_allclose(ensemble.scores(X), expected)
    stages = [scores.copy() for scores in ensemble.staged_scores(X)]
    np.testing.assert_allclose(stages[0], expected / 2)
    np.testing.assert_allclose(stages[-1], expected)


def test_an_ensemble_without_rounds_scores_zero():
    assert not Ensemble(Constant(np.ones(2), 0), 3).scores(np.zeros((4, 2))).any()
