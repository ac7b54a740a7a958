import numpy as np
import pytest
from scipy.sparse import csr_matrix

from reference.ridge import fit, simplex_scores
from simplexcoding.design import CholeskySpectrum, FeatureSpectrum, GramSpectrum, design
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Rows
from simplexcoding.solvers.ridge import RidgeProblem

rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 5)), rng.integers(3, size=40)
w = rng.uniform(0.5, 2, 40)


@pytest.mark.parametrize("weights", [None, w], ids=["", "weighted"])
@pytest.mark.parametrize("name", ["linear", "rbf", "precomputed"])
def test_solutions_are_scores_on_the_input(name, weights):
    kernel = Kernel("linear" if name == "linear" else "rbf", 0.3)
    K = kernel.matrix(X)
    given = K.copy() if name == "precomputed" else X
    problem = RidgeProblem(given, Kernel(name, 0.3), Rows.labelled(y, 3, weights), True)
    found = problem.factorise().coefficients(0.7)
    A, b = fit(K, np.eye(3)[y], np.ones(40) if weights is None else weights, 0.7, True)
    basis = X if name == "linear" else K
    assert np.allclose(basis @ found.weights + found.intercept, simplex_scores(K @ A + b))
    if name == "precomputed":
        assert np.array_equal(given, K)


def test_the_smaller_side_is_factorised(monkeypatch):
    t = Rows.labelled(y, 3)
    assert isinstance(RidgeProblem(X, Kernel(), t, True).factorise().spectrum, FeatureSpectrum)
    wide = rng.normal(size=(40, 90))
    assert isinstance(RidgeProblem(wide, Kernel(), t, True).factorise().spectrum, GramSpectrum)
    monkeypatch.setattr(design, "EIGEN_ROWS", 10)
    large = RidgeProblem(wide, Kernel(), t, True).factorise()
    assert isinstance(large.spectrum, CholeskySpectrum)
    sparse = RidgeProblem(csr_matrix(wide), Kernel(), t, True).factorise()
    assert np.allclose(sparse.coefficients(1.0).weights, large.coefficients(1.0).weights)


def test_landmarks_solve_the_projected_kernel():
    chosen = np.arange(0, 40, 3)
    kernel = Kernel("rbf", 0.3)
    problem = RidgeProblem(X, kernel, Rows.labelled(y, 3), True, chosen)
    found = problem.factorise().coefficients(0.7)
    K = kernel.matrix(X)
    projected = K[:, chosen] @ np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen])
    A, b = fit(projected, np.eye(3)[y], np.ones(40), 0.7, True)
    expected = simplex_scores(projected @ A + b)
    assert np.allclose(K[:, chosen] @ found.weights + found.intercept, expected)


@pytest.mark.parametrize("wide", [False, True])
def test_scaled_features_give_the_function_of_features_scaled_beforehand(wide):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 20 if wide else 4)), np.arange(12) % 3
    scale = rng.uniform(0.1, 10, X.shape[1])
    targets = Rows.labelled(y, 3)
    scaled = RidgeProblem(X, Kernel(scale=scale), targets, True).factorise().coefficients(0.7)
    plain = RidgeProblem(X / scale, Kernel(), targets, True).factorise().coefficients(0.7)
    np.testing.assert_allclose(
        X @ scaled.weights + scaled.intercept, X / scale @ plain.weights + plain.intercept
    )


@pytest.mark.parametrize("shape", [(60, 200), (60, 6)], ids=["wide", "tall"])
@pytest.mark.parametrize("weights", [None, rng.uniform(0.5, 2, 60)], ids=["", "weighted"])
def test_single_precision_far_from_zero_keeps_its_digits(shape, weights):
    """Means of ten thousand spreads cost 12 points of accuracy before class sums were double."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=60)
    rows = rng.normal(size=shape)
    rows[:, 0] += y
    single = (rows + 1e4).astype(np.float32)
    near = single.astype(np.float64) - 1e4  # What float32 can hold of the rows.
    targets = Rows.labelled(y, 3, weights)
    ours = RidgeProblem(single, Kernel(), targets, True).factorise()
    exact = RidgeProblem(near, Kernel(), targets, True).factorise()
    scores = exact.spectrum.leave_one_out(1.0).scores()
    assert np.abs(ours.spectrum.leave_one_out(1.0).scores() - scores).max() < 1e-4
    plain = exact.solve(1.0).function.scores(near)
    assert np.abs(ours.solve(1.0).function.scores(single) - plain).max() < 2e-2


def test_functions_number_the_rows_of_a_kernel_as_its_owner_does():
    K = Kernel("rbf", 0.3).matrix(X)
    factor = RidgeProblem(K, Kernel("precomputed"), Rows.labelled(y, 3), True).factorise()
    wide = np.zeros((40, 90))
    numbers = np.arange(5, 85, 2)
    wide[:, numbers] = K
    assert np.allclose(
        factor.solve(0.5, numbers).function.scores(wide), factor.solve(0.5).function.scores(K)
    )
