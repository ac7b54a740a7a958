import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import load_wine

from simplexcoding.kernels import gamma_values
from simplexcoding.selection.candidate_kernels import candidate_kernels

WINE, _ = load_wine(return_X_y=True)


def test_kernels_widths_and_scalings_are_combined():
    kernels = candidate_kernels("auto", "auto", "auto", WINE, None, 0)
    names = [(kernel.name, kernel.scale is not None) for kernel in kernels]
    assert len(kernels) == 10
    assert set(names) == {(k, s) for k in ("linear", "rbf", "exponential") for s in (False, True)}
    widths = [kernel.gamma for kernel in kernels if kernel.name == "rbf" and kernel.scale is None]
    (rule,) = gamma_values("rbf", "quantile", WINE)
    np.testing.assert_allclose(widths, [rule / 4, rule, 4 * rule])
    np.testing.assert_allclose(kernels[-1].scale, WINE.std(axis=0))


def test_sparse_rows_are_not_scaled():
    kernels = candidate_kernels("auto", "auto", "auto", csr_matrix(WINE), None, 0)
    assert {kernel.name for kernel in kernels} == {"linear", "rbf"}
    assert all(kernel.scale is None for kernel in kernels)


def test_a_named_kernel_and_a_given_width_are_kept():
    kernels = candidate_kernels("rbf", 0.5, "standard", WINE, None, 0)
    assert [(kernel.name, kernel.gamma) for kernel in kernels] == [("rbf", 0.5)]
