"""Least squares on a kernel matrix: one n x n eigendecomposition for every alpha."""

from collections.abc import Iterator

import numpy as np

from simplexcoding.arrays import Floats, Indices, slices
from simplexcoding.design.linear_algebra.eigen import symmetric_eigen
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.spectra.spectrum import (
    Coefficients,
    Scan,
    Spectrum,
    hat_traces,
    scan_each,
)
from simplexcoding.design.weighting import WeightedKernel
from simplexcoding.rows import Rows

# Entries of rows x alphas x classes that a scan holds at a time: 32 MB.
_SCAN_ENTRIES = 2**22


class GramSpectrum(Spectrum):
    """Spectrum of a kernel matrix, centred for a free intercept: K = U s U'.

    With B = U'Y the dual coefficients are A = U diag(1/(s + alpha)) B, and leaving row i
    out leaves the error A_i / sum_j U_ij^2/(s_j + alpha): nothing cancels however small
    alpha is.

    Parameters
    ----------
    kernel : WeightedKernel
    """

    def __init__(self, kernel: WeightedKernel) -> None:
        self.targets: Rows = kernel.targets
        self._kernel = kernel
        roots = self.targets.roots.astype(kernel.matrix.dtype)
        self._image = kernel.matrix @ roots
        self.eigenvalues, self._axes = _eigen(kernel.matrix, roots, kernel.intercept)
        # The sums weigh by w; divided by roots they weigh by sqrt(w).
        self._projections = self.targets.class_sums(self._axes / roots[:, None]).T

    @property
    def rounding(self) -> float:
        return float(np.finfo(self._axes.dtype).eps)

    def solve(self, alpha: float) -> Floats:
        """Solutions A~ of the weighted problem, (n, T)."""
        return self._axes @ (self._projections / (self.eigenvalues + alpha)[:, None])

    def diagonals(self, alphas: Floats) -> Floats:
        """Diagonals of the inverses, (n, k)."""
        shrink = 1 / (self.eigenvalues[:, None] + alphas)
        return np.square(self._axes) @ shrink.astype(self._axes.dtype, copy=False)

    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        diagonal = self.diagonals(np.array([alpha]))[:, 0]
        return self._kernel.leave_one_out(self.solve(alpha), diagonal)

    def scan(self, alphas: Floats) -> Scan:
        """Every alpha, the diagonals of all in one product."""
        return scan_each(self._results(alphas), self.targets)

    def _results(self, alphas: Floats) -> Iterator[LeaveOneOut]:
        """Leave-one-out at each alpha, from one product for as many as memory likes."""
        diagonals = self.diagonals(alphas).T
        n_classes = self.targets.n_classes
        size = max(1, _SCAN_ENTRIES // (len(self.targets) * n_classes))
        for part in slices(len(alphas), size):
            some = alphas[part]
            shrink = 1 / (self.eigenvalues[:, None] + some)
            mixed = shrink[:, :, None] * self._projections[:, None, :]
            mixed = mixed.reshape(len(shrink), -1).astype(self._axes.dtype, copy=False)
            solved = (self._axes @ mixed).reshape(-1, len(some), n_classes)
            for k in range(len(some)):
                result = np.ascontiguousarray(solved[:, k])
                yield self._kernel.leave_one_out(result, diagonals[part.start + k])

    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        """Errors of a fold F are (Q_FF)^-1 A_F, Q the inverse of the regularised matrix."""
        solved, roots = self.solve(alpha), self.targets.roots

        def fold_errors(fold: Indices) -> Floats:
            axes = self._axes[fold]
            block = (axes / (self.eigenvalues + alpha)) @ axes.T
            return np.linalg.solve(block, solved[fold]) / roots[fold, None]

        return folds.left_out(self.targets.y, self.targets.n_classes, fold_errors)

    def coefficients(self, alpha: float) -> Coefficients:
        return self._kernel.coefficients(self.solve(alpha), self._image)

    def effective_dimension(self, alphas: Floats) -> Floats:
        return hat_traces(self.eigenvalues, alphas)


def _eigen(matrix: Floats, roots: Floats, intercept: bool) -> tuple[Floats, Floats]:
    """Eigenpairs of the matrix; with an intercept, those orthogonal to `roots`."""
    if not intercept:
        return symmetric_eigen(matrix)
    v = roots / np.linalg.norm(roots)
    image = matrix @ v
    inner = v @ image
    centred = matrix - np.outer(v, image) - np.outer(image, v)
    # v is an eigenvector for 0, perhaps one of many: lifted above all others it comes last.
    lift = 2 * np.linalg.norm(centred) + np.finfo(matrix.dtype).tiny ** 0.5
    centred += (inner + lift) * np.outer(v, v)
    values, vectors = symmetric_eigen(centred)
    return values[:-1], np.ascontiguousarray(vectors[:, :-1])
