"""Least squares on finite features: one p x p eigendecomposition for every alpha."""

from copy import copy
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve
from scipy.sparse import issparse

from simplexcoding.arrays import Bools, Floats, Indices, slices
from simplexcoding.design.linear_algebra.eigen import symmetric_eigen
from simplexcoding.design.moments import BLOCK, Moments, centred_blocks
from simplexcoding.design.spectra.feature_scan import SCAN_LIMIT, Scanner, positive_slack
from simplexcoding.design.spectra.leaving_out import Folds, LeaveOneOut
from simplexcoding.design.spectra.spectrum import Coefficients, Scan, Spectrum, hat_traces
from simplexcoding.rows import Rows

# Errors that are finished while they are in cache.
_ERRORS_AT_A_TIME = 2**19
# Values of rows whose rivals are asked at a time.
_RIVAL_VALUES = 2**18


class FeatureSpectrum(Spectrum):
    """Spectrum of rows X (n, p) with n >= p: scatter = V s V'.

    With rows Z = (X - m) V and B = V' (class sums)', predictions are
    mean y + Z diag(1/(s + alpha)) B and the leverage of row i is
    h_i = w_i (1/sum w + sum_j Z_ij^2/(s_j + alpha)), without 1/sum w if there is no intercept.
    Leaving row i out divides its error by 1 - h_i.

    Attributes
    ----------
    eigenvalues : (p,) array s
    rows : (n, p) array Z
    projections : (p, T) array B
    base : (T,) array mean y, or None without an intercept

    Parameters
    ----------
    X : (n, p) array or CSR matrix of rows
    targets : Rows, labels and weights
    moments : Moments of the rows, or of all rows where X holds some
    """

    follows_rivals = True
    moments: Moments
    _scanner: Scanner | None = None
    _kept: tuple[float, LeaveOneOut] | None = None

    def __init__(self, X: Any, targets: Rows, moments: Moments) -> None:
        self.targets = targets
        self.moments = moments
        self.eigenvalues, self._axes = symmetric_eigen(moments.scatter)
        self.projections = self._axes.T @ moments.class_sums.T
        self.base = moments.base
        self.rows = self._rotate(X)

    def _rotate(self, X: Any) -> Floats:
        axes = self._axes.astype(X.dtype, copy=False)
        if issparse(X):
            return X @ axes - (self.moments.mean @ self._axes).astype(X.dtype)
        rotated = np.empty((len(X), len(self.eigenvalues)), dtype=X.dtype)
        for rows, block in centred_blocks(X, self.moments.mean, X.dtype):
            np.matmul(block, axes, out=rotated[rows])
        return rotated

    def leverages(self, alphas: Floats, rows: slice, block: Floats) -> Floats:
        """Leverages of some rows, (b, k). O(b p k), one product.

        `block` holds these rows in a dtype of the caller's, and is overwritten.
        """
        squares = np.square(block, out=block)
        shrink = 1 / (self.eigenvalues[:, None] + alphas)
        leverages = squares @ shrink.astype(squares.dtype, copy=False)
        if self.base is not None:
            leverages += squares.dtype.type(1 / self.moments.total)
        if self.targets.weights is not None:
            leverages *= self.targets.weights[rows, None].astype(squares.dtype)
        return leverages

    def _slack(self, alpha: float) -> Floats:
        """1 - leverage of every row, (n,)."""
        leverages = np.empty(len(self.rows), dtype=self.rows.dtype)
        for rows in slices(len(self.rows), BLOCK):
            part = self.leverages(np.array([alpha]), rows, self.rows[rows].copy())
            leverages[rows] = part[:, 0]
        return positive_slack(leverages)

    def leave_one_out(self, alpha: float) -> LeaveOneOut:
        kept, self._kept = self._kept, None
        if kept is not None and kept[0] == alpha:
            return kept[1]
        return LeaveOneOut(self._errors(alpha), self._slack(alpha), self.targets.y)

    def keep(self, alpha: float, result: LeaveOneOut) -> None:
        self._kept = (alpha, result)

    def lost(self) -> float:
        """Rounding of a scatter that one row fills, over the scatter across that row."""
        if len(self.eigenvalues) < 2:
            return 0.0
        along = np.square(self._along_the_last())
        if along.max(initial=0.0) <= along.sum() / 2:
            return 0.0
        across = float(self.eigenvalues[:-1].sum())
        rounding = float(np.finfo(np.float64).eps) * float(self.eigenvalues[-1])
        return rounding / max(across, rounding)

    def _along_the_last(self) -> Floats:
        """Places of the rows on the axis of most scatter, (n,)."""
        return self.rows[:, -1].astype(np.float64)

    def _errors(self, alpha: float) -> Floats:
        """Training errors Y - prediction, (n, T)."""
        y, dtype = self.targets.y, self.rows.dtype
        shrunk = self.projections / -(self.eigenvalues + alpha)[:, None]
        shrunk = shrunk.astype(dtype, copy=False)
        errors = np.empty((len(y), self.targets.n_classes), dtype=dtype)
        size = max(1, _ERRORS_AT_A_TIME // errors.shape[1])
        for rows in slices(len(errors), size):
            block = np.matmul(self.rows[rows], shrunk, out=errors[rows])
            if self.base is not None:
                block -= self.base.astype(dtype)
            block[np.arange(len(block)), y[rows]] += 1
        return errors

    def scan(self, alphas: Floats) -> Scan:
        if self._scanner is not None and np.array_equal(self._scanner.alphas, alphas):
            return self._scanner.scan(self)
        return Scanner.of(self, alphas).scan(self)

    def hits_against(self, rivals: Indices, alphas: Floats) -> Bools:
        """Which rows of the fit score higher on their own class than on their rivals, (k, n).

        Only the rivals (n, r) are asked: O(n p (r + k)), not O(n p T k).
        """
        targets, s = self.targets, self.eigenvalues
        # In units of the largest eigenvalue no number leaves the range of single precision.
        unit = float(np.sqrt(s.max(initial=0.0))) or 1.0
        shrink = (unit**2 / (s[:, None] + alphas)).astype(np.float32)
        columns = np.ascontiguousarray(self.projections.T / unit, dtype=np.float32)
        base = np.zeros(len(columns)) if self.base is None else self.base
        free = 0.0 if self.base is None else 1 / self.moments.total
        hits = np.empty((len(alphas), len(targets)), dtype=bool)
        size = max(1, _RIVAL_VALUES // columns.shape[1])
        for rows in slices(len(targets), size):
            block = (self.rows[rows] / unit).astype(np.float32)
            fits = [
                (columns[classes] * block) @ shrink + base[classes, None]
                for classes in (targets.y[rows], *rivals[rows].T)
            ]
            leverages = np.square(block) @ shrink + free
            if targets.weights is not None:
                leverages *= targets.weights[rows, None]
            hits[:, rows] = (fits[0] - leverages > np.max(fits[1:], axis=0)).T
        return hits

    def stand_in(self, n_alphas: int, cheap: bool = True) -> "FeatureSpectrum | None":
        """Itself, asked about some rows, where a scan of all would dominate the fit."""
        entries = len(self.targets) * self.targets.n_classes * n_alphas
        return self if not cheap or entries > SCAN_LIMIT else None

    def sample(self, rows: Indices) -> "FeatureSpectrum":
        """The same fit, asked about some of its rows only."""
        part = copy(self)
        part._kept = None
        part.targets = self.targets.take(rows)
        part.rows = self.rows[rows]
        return part

    def without_rows(self, alphas: Floats, times: float) -> "FeatureSpectrum":
        """The fit alone, ready to be asked `over` rows that come in turn at these alphas.

        How they are answered is settled by the rows it has now, whatever comes, and by how
        many times as many will come.
        """
        part = self.sample(np.arange(0))
        part._scanner = Scanner.of(self, alphas, times)
        return part

    def over(self, X: Any, targets: Rows) -> "FeatureSpectrum":
        """The same fit, asked about rows it was made of, which come from elsewhere."""
        part = copy(self)
        part._kept = None
        part.targets = targets
        part.rows = self._rotate(X)
        return part

    def coefficients(self, alpha: float) -> Coefficients:
        weights = self._axes @ (self.projections / (self.eigenvalues + alpha)[:, None])
        return Coefficients(weights, self.moments.intercept(weights))

    def effective_dimension(self, alphas: Floats) -> Floats:
        return hat_traces(self.eigenvalues, alphas)

    def leave_out(self, folds: Folds, alpha: float) -> LeaveOneOut:
        """Errors of a fold F over I - H_FF, in the smaller of fold size and p."""
        errors = self._errors(alpha).astype(np.float64, copy=False)

        def fold_errors(fold: Indices) -> Floats:
            return self._fold_errors(fold, errors[fold], alpha)

        return folds.left_out(self.targets.y, self.targets.n_classes, fold_errors)

    def _fold_rows(self, fold: Indices) -> Floats:
        return self.rows[fold].astype(np.float64)

    def _fold_errors(self, fold: Indices, errors: Floats, alpha: float) -> Floats:
        """(I - H_FF)^-1 errors, H_FF = R A R' W with rows R extended by the intercept's one."""
        rows = self._fold_rows(fold)
        ridge = self.eigenvalues + alpha
        if self.base is not None:
            rows = np.column_stack([rows, np.ones(len(rows))])
            ridge = np.append(ridge, self.moments.total)
        weights = None if self.targets.weights is None else self.targets.weights[fold]
        weighted = rows if weights is None else rows * weights[:, None]
        if len(fold) <= rows.shape[1]:
            hat = (rows / ridge) @ weighted.T
            return np.asarray(np.linalg.solve(np.eye(len(fold)) - hat, errors))
        # Woodbury: (I - R A R'W)^-1 = I + R (A^-1 - R'WR)^-1 R'W.
        inner = np.diag(ridge) - weighted.T @ rows
        try:
            solved = cho_solve(cho_factor(inner), weighted.T @ errors)
        except LinAlgError:
            # What stays is rounding in some direction: see `lost`.
            solved = np.linalg.lstsq(inner, weighted.T @ errors, rcond=None)[0]
        return errors + rows @ solved
