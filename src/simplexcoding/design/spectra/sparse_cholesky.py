"""Least squares on sparse rows of many features: one Cholesky factorisation for each alpha."""

from copy import copy
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.linear_algebra.eigen import largest_eigenvalue
from simplexcoding.design.moments import Moments
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.gram import GramSpectrum
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.spectra.sparse_features import (
    Inverses,
    SparseFeatureSpectrum,
    rising,
)
from simplexcoding.design.spectra.spectrum import Coefficients, Spectrum
from simplexcoding.design.weighting import WeightedKernel
from simplexcoding.rows import Rows

# Beyond so many features eigenvectors, some twelve p^3 operations and four p x p matrices, take
# more than the few inverses that are asked, p^3 each and half a matrix.
MOST_ROTATED = 2048
# Numbers of the inverses that a fit asked about blocks of rows keeps: two of 8,192 features.
_KEPT_VALUES, _MOST_KEPT = 6.8e7, 12


class SparseCholesky(SparseFeatureSpectrum):
    """Sparse rows (n, p) of which only single values of alpha are asked.

    One alpha costs p^3 operations for the inverse of scatter + alpha I, in half the memory of
    the scatter; coefficients and leverages are kept by alpha. Folds, and an alpha too small
    for a factorisation, take the eigenvectors.

    Parameters
    ----------
    X : (n, p) array or CSR matrix of rows
    targets : Rows, labels and weights
    moments : Moments of the rows, or of all rows where X holds some
    keep : int, default=1, how many inverses are kept
    """

    keeps_results = True
    _stands_in = False

    def __init__(self, X: Any, targets: Rows, moments: Moments, keep: int = 1) -> None:
        self.targets, self.moments, self.rows = targets, moments, rising(X)
        self.base = moments.base
        start = np.sqrt(np.maximum(np.diagonal(moments.scatter), np.finfo(np.float64).tiny))
        self.eigenvalues = np.maximum(largest_eigenvalue(moments.scatter, start), 0.0)
        self._inverses = Inverses(moments, None, keep)
        self._answers: dict[float, tuple[Coefficients, Floats, float]] = {}

    @staticmethod
    def most_kept(n_features: int) -> int:
        """How many inverses a fit may keep that is asked about rows that come in turn."""
        return int(np.clip(_KEPT_VALUES // (n_features * (n_features + 1) // 2), 1, _MOST_KEPT))

    def _answer(self, alpha: float) -> tuple[Coefficients, Floats, float]:
        """Coefficients, leverages (n,) and effective dimension."""
        if alpha not in self._answers:
            trace = float(self._inverses.at(alpha).packed.diagonal().sum())
            self._answers[alpha] = (
                super().coefficients(alpha),
                super()._leverages(alpha),
                len(self.moments.mean) - alpha * trace,
            )
        return self._answers[alpha]

    def coefficients(self, alpha: float) -> Coefficients:
        return self._answer(alpha)[0]

    def _leverages(self, alpha: float) -> Floats:
        return self._answer(alpha)[1]

    def effective_dimension(self, alphas: Floats) -> Floats:
        """P - alpha trace Q: an inverse for each alpha that was not asked before."""
        return np.array([self._answer(float(alpha))[2] for alpha in alphas])

    def _rotating_is_less(self, n_alphas: int) -> bool:
        return False

    def over(self, X: Any, targets: Rows) -> "SparseCholesky":
        part = copy(self)
        part.targets, part.rows, part._answers = targets, rising(X), {}
        return part

    # Few rows alone are solved by their kernel, which is no spectrum of features.
    def sample(self, rows: Indices) -> Spectrum:  # type: ignore[override]
        """The same fit, asked about some of its rows only; of a stand-in their own fit."""
        if self._stands_in:
            return self.alone(rows)
        return self.over(self.rows[rows], self.targets.take(rows))

    def alone(self, rows: Indices) -> GramSpectrum:
        some = self.rows[rows].astype(np.float64)
        kernel = (some @ some.T).toarray()
        targets = self.targets.take(rows)
        return GramSpectrum(WeightedKernel.of(kernel, targets, self.moments.centred))

    def stand_in(self, n_alphas: int, cheap: bool = True) -> FeatureSpectrum:
        """Fits of some of the rows alone, at the same alphas.

        alpha weighs noise against signal, and that does not depend on how many rows there are.
        """
        few = copy(self)
        few._stands_in = True
        return few

    def without_rows(self, alphas: Floats, times: float) -> "SparseCholesky":
        """The fit alone, whose inverses at these alphas are at hand already."""
        return self.over(self.rows[:0], self.targets.take(np.arange(0)))

    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        fit = self._inverses.fit()
        return SparseFeatureSpectrum(fit, self.rows, self.targets).leave_out(folds, alpha)
