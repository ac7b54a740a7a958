"""Functions that margin machines choose from: their scores at the training rows, and at others."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack, issparse

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.landmarks import LandmarkMap
from simplexcoding.design.operators import Data, Spectral, kernel_data
from simplexcoding.design.validity import check_symmetric, check_values
from simplexcoding.functions import Function, KernelExpansion, LinearFunction
from simplexcoding.kernels import Kernel
from simplexcoding.rows import Training


@dataclass(frozen=True)
class Expansion:
    """f = sum_j k(x_j, .) b_j over training rows x_j, with coefficients B (n, T).

    Parameters
    ----------
    data : Gram or Spectral
        The kernel at the rows: scores there are K B.
    function : callable
        From coefficients B to the function of new rows.
    """

    data: Data
    function: Callable[[Floats], Function]


def expand(
    training: Training, kernel: Kernel, landmarks: Indices | None, intercept: bool
) -> Expansion:
    """The functions of a kernel over training rows, in the smallest form there is.

    Parameters
    ----------
    training : Training, its rows in float64
    kernel : Kernel
    landmarks : (m,) array of rows to project the kernel on, or None for all of it
    intercept : bool
        Whether one is added to the kernel.
    """
    X = training.rows.X
    if landmarks is not None:
        return _on_landmarks(training, kernel, landmarks, intercept)
    if kernel.name == "linear" and X.shape[1] < X.shape[0]:
        return _on_features(X, intercept)
    return _on_rows(training, kernel, intercept)


def _on_features(X: Any, intercept: bool) -> Expansion:
    data = Spectral.of_features(_with_ones(X) if intercept else X)
    p = X.shape[1]

    def function(B: Floats) -> Function:
        weights = data.feature_weights(B)
        return LinearFunction(weights[:p], weights[p:].sum(axis=0))

    return Expansion(data, function)


def _on_landmarks(
    training: Training, kernel: Kernel, landmarks: Indices, intercept: bool
) -> Expansion:
    rows = training.rows
    columns = rows.X[:, landmarks] if rows.pairwise else kernel.matrix(rows.X, rows.X[landmarks])
    columns = np.asarray(columns, dtype=np.float64)
    mapped = LandmarkMap.of(columns[landmarks])
    features = mapped.features(columns)
    r = features.shape[1]
    data = Spectral.of_features(_with_ones(features) if intercept else features, spend=True)
    basis = training.numbers[landmarks] if rows.pairwise else rows.X[landmarks]

    def function(B: Floats) -> Function:
        weights = data.feature_weights(B)
        on_kernel = mapped.pull_back(weights[:r], len(landmarks))
        return KernelExpansion(kernel, basis, on_kernel, weights[r:].sum(axis=0))

    return Expansion(data, function)


def _on_rows(training: Training, kernel: Kernel, intercept: bool) -> Expansion:
    rows = training.rows
    K = np.asarray(kernel.matrix(rows.X), dtype=np.float64)
    if not kernel.proven:
        check_symmetric(K)
    check_values(K)
    data = kernel_data(K + 1 if intercept else K)
    basis = training.numbers if rows.pairwise else rows.X

    def function(B: Floats) -> Function:
        offset = B.sum(axis=0) * intercept
        if kernel.name == "linear":
            return LinearFunction(np.asarray(rows.X.T @ B), offset)
        return KernelExpansion(kernel, basis, B, offset)

    return Expansion(data, function)


def _with_ones(X: Any) -> Any:
    """X with a column of ones, so that X X' + 1 is its Gram matrix."""
    ones = np.ones((X.shape[0], 1))
    return hstack([X, csr_matrix(ones)], format="csr") if issparse(X) else np.hstack([X, ones])
