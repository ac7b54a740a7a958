"""Least squares on sparse rows, which stay sparse."""

from typing import Any

import numpy as np
from scipy.linalg import LinAlgError
from scipy.sparse import csr_matrix, issparse

from simplexcoding.arrays import Floats, Indices, slices
from simplexcoding.design.linear_algebra.packed import Inverse, Packed
from simplexcoding.design.moments import Moments
from simplexcoding.design.spectra.feature_scan import positive_slack
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.leaving_out import LeaveOneOut
from simplexcoding.design.spectra.spectrum import Coefficients, Scan
from simplexcoding.rows import Rows

# Up to this many values rows are rotated densely: that is cheap, and answers every alpha.
DENSE_VALUES = 2**23
# Products of rotated rows run at many times the speed of single entries.
_SLOWNESS = 8.0
# Squares of a mean, over those of the spread, from which sparse rows would lose digits.
_DIGITS_LOST = 1e4
# Rows rotated at a time.
_BLOCK_VALUES = 2**22


def rotated_spectrum(X: Any, targets: Rows, moments: Moments) -> FeatureSpectrum:
    """Spectrum of sparse rows with eigenvectors: few rows are rotated at once."""
    if X.shape[0] * X.shape[1] <= DENSE_VALUES:
        return FeatureSpectrum(X, targets, moments)
    fit = FeatureSpectrum(X[:0], targets.take(slice(0, 0)), moments)
    return SparseFeatureSpectrum(fit, X, targets)


def stays_sparse(X: Any, moments: Moments) -> bool:
    """Whether a row's non-zeros answer for it at less cost, and without loss of digits."""
    if not issparse(X):
        return False
    n_rows, n_features = X.shape
    per_row = X.nnz / max(n_rows, 1)
    few = _SLOWNESS * per_row < n_features
    far = moments.total * moments.mean**2 > _DIGITS_LOST * np.diagonal(moments.scatter)
    return few and not bool(np.any(far & (moments.mean != 0)))


class SparseFeatureSpectrum(FeatureSpectrum):
    """A FeatureSpectrum whose rows X (n, p) are CSR and are never rotated all at once.

    With Q = (scatter + alpha I)^-1 the leverage of a row of z non-zeros takes z^2 entries of
    Q, and its predictions z rows of the weights: O(z^2 + z T) at each alpha, after p^3 for Q.
    Where few rows are asked about many alphas they are rotated, block by block.

    Parameters
    ----------
    fit : FeatureSpectrum, the fit of all rows
    X : (n, p) CSR matrix of the rows asked about
    targets : Rows, labels and weights of these
    known : Inverses, default=None, that are shared
    """

    follows_rivals = False
    rows: Any

    def __init__(
        self, fit: FeatureSpectrum, X: Any, targets: Rows, known: "Inverses | None" = None
    ) -> None:
        # The fit is the same, asked about other rows.
        self.moments, self.base = fit.moments, fit.base
        self.eigenvalues, self.projections = fit.eigenvalues, fit.projections
        self.targets, self.rows = targets, rising(X)
        self._fit = fit
        self._inverses = known or Inverses(fit.moments, fit)

    @classmethod
    def of_fit(cls, fit: FeatureSpectrum, n_alphas: int) -> "SparseFeatureSpectrum":
        """A fit to be asked about rows that come in turn, at the same few alphas each time."""
        none = csr_matrix((0, len(fit.moments.mean)))
        inverses = Inverses(fit.moments, fit, n_alphas)
        return cls(fit, none, fit.targets.take(slice(0, 0)), inverses)

    def sample(self, rows: Indices) -> FeatureSpectrum:
        """The same fit, asked about some of its rows only; few of them are rotated."""
        X = self.rows[rows]
        if X.shape[0] * X.shape[1] <= DENSE_VALUES:
            return self._rotated(rows)
        return self.over(X, self.targets.take(rows))

    def over(self, X: Any, targets: Rows) -> "SparseFeatureSpectrum":
        return SparseFeatureSpectrum(self._fit, X, targets, self._inverses)

    def _rotated(self, rows: Any) -> FeatureSpectrum:
        return self._fit.over(self.rows[rows], self.targets.take(rows))

    def _leverages(self, alpha: float) -> Floats:
        """Leverages of every row, (n,)."""
        from simplexcoding.design.spectra.sparse_rows import (
            sparse_leverages,  # Compiled on first use.
        )

        inverse = self._inverses.at(alpha)
        image = np.ascontiguousarray(inverse.solved[:, -1])
        constant = float(self.moments.mean @ image)
        leverages = np.empty(self.rows.shape[0])
        csr = (self.rows.indptr, self.rows.indices, self.rows.data)
        sparse_leverages(*csr, inverse.packed.values, image, constant, leverages)
        if self.base is not None:
            leverages += 1 / self.moments.total
        if self.targets.weights is not None:
            leverages *= self.targets.weights
        return leverages

    def coefficients(self, alpha: float) -> Coefficients:
        """Weights as Q times the class sums."""
        weights = self._inverses.at(alpha).solved[:, :-1]
        return Coefficients(weights, self.moments.intercept(weights))

    def _slack(self, alpha: float) -> Floats:
        return positive_slack(self._leverages(alpha))

    def _errors(self, alpha: float) -> Floats:
        found = self.coefficients(alpha)
        errors = self.rows @ -found.weights
        errors -= found.intercept
        errors[np.arange(len(errors)), self.targets.y] += 1
        return errors

    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        dtype = self.rows.dtype
        errors, slack = self._errors(alpha), self._slack(alpha)
        return LeaveOneOut(errors.astype(dtype, copy=False), slack.astype(dtype), self.targets.y)

    def scan(self, alphas: Floats) -> Scan:
        if self._rotating_is_less(len(alphas)):
            return self._scan_rotated(alphas)
        from simplexcoding.design.spectra.sparse_rows import sparse_judge  # Compiled on first use.

        targets = self.targets
        y = targets.y
        hits = np.empty((len(alphas), len(y)), dtype=bool)
        squares, means = np.empty(len(y)), np.empty(len(alphas))
        csr = (self.rows.indptr, self.rows.indices, self.rows.data)
        floor = 16 * float(np.finfo(np.float64).eps)
        for k, alpha in enumerate(alphas):
            found, leverages = self.coefficients(alpha), self._leverages(alpha)
            weights = np.ascontiguousarray(found.weights)
            sparse_judge(
                *csr, y, leverages, weights, found.intercept, self.base is not None, floor,
                hits[k], squares,
            )  # fmt: skip
            means[k] = np.average(squares, weights=targets.weights)
        return Scan(hits, means)

    def _rotating_is_less(self, n_alphas: int) -> bool:
        (n_rows, n_features), n_classes = self.rows.shape, self.targets.n_classes
        per_row = self.rows.nnz / max(n_rows, 1)
        entries = _SLOWNESS * (per_row**2 + per_row * n_classes)
        sparse = n_alphas * (n_features**3 + n_rows * entries)
        return n_rows * n_features * (n_features + n_alphas * n_classes) < sparse

    def _scan_rotated(self, alphas: Floats) -> Scan:
        n_rows, n_features = self.rows.shape
        size = max(1, _BLOCK_VALUES // n_features)
        parts, totals = [], np.zeros(len(alphas))
        for rows in slices(n_rows, size):
            part = self._rotated(rows)
            found = part.scan(alphas)
            parts.append(found.correct)
            totals += found.squared_error * part.targets.total
        return Scan(np.concatenate(parts, axis=1), totals / self.targets.total)

    def _along_the_last(self) -> Floats:
        axis = self._fit._axes[:, -1]
        return np.asarray(self.rows @ axis - self.moments.mean @ axis)

    def _fold_errors(self, fold: Indices, errors: Floats, alpha: float) -> Floats:
        return self._rotated(fold)._fold_errors(np.arange(len(fold)), errors, alpha)


def rising(X: Any) -> Any:
    """CSR rows without duplicates, whose columns rise."""
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


class Inverses:
    """Inverses Q of scatter + alpha I, with Q [class sums', mean]; the last ones are kept.

    By the eigenvectors of a fit where it is given, else by Cholesky factorisations; where one
    of these fails, by eigenvectors from then on.

    Parameters
    ----------
    moments : Moments
    fit : FeatureSpectrum whose eigenvectors are known, or None
    keep : int, default=1, how many inverses are kept
    """

    def __init__(self, moments: Moments, fit: FeatureSpectrum | None, keep: int = 1) -> None:
        self._moments, self._fit, self._keep = moments, fit, keep
        self._kept: dict[float, Inverse] = {}

    def at(self, alpha: float) -> Inverse:
        """(scatter + alpha I)^-1."""
        if alpha not in self._kept:
            while len(self._kept) >= self._keep:
                self._kept.pop(next(iter(self._kept)))
            self._kept[alpha] = self._make(alpha)
        return self._kept[alpha]

    def fit(self) -> FeatureSpectrum:
        """The eigenvectors, made when they are first asked for."""
        if self._fit is None:
            moments = self._moments
            none = Rows.labelled(np.arange(0), len(moments.class_totals))
            self._fit = FeatureSpectrum(np.empty((0, len(moments.mean))), none, moments)
        return self._fit

    def _make(self, alpha: float) -> Inverse:
        moments = self._moments
        columns = np.column_stack([moments.class_sums.T, moments.mean])
        if self._fit is None:
            try:
                return Inverse.of(moments.scatter, alpha, columns)
            except LinAlgError:
                self.fit()
        fit = self.fit()
        axes, shrunk = fit._axes, fit._axes / (fit.eigenvalues + alpha)
        return Inverse(Packed.of(shrunk @ axes.T), shrunk @ (axes.T @ columns))
