"""Least squares on finite features that live in another array library."""

from copy import copy
from typing import Any

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, slices
from simplexcoding.design.moments import BLOCK, Moments
from simplexcoding.design.spectra.feature_scan import (
    DOUBTFUL_LEAD,
    LARGEST_IN_DOUBLE,
    WORST_ERROR,
    decide,
    positive_slack,
    resolvent_factors,
)
from simplexcoding.design.spectra.features import FeatureSpectrum
from simplexcoding.design.spectra.spectrum import Scan
from simplexcoding.devices import Home
from simplexcoding.rows import Rows

# Entries of alphas x classes x rows that a block of a scan holds.
_BLOCK_ENTRIES = 2**21


def device_moments(X: Any, home: Home, targets: Rows, centred: bool) -> Moments:
    """Moments of rows, their products taken where they are, in double precision."""
    xp = home.xp
    counts = home.bring(targets.counts)
    total, n_features = targets.total, X.shape[1]
    mean = xp.zeros(n_features, dtype=xp.float64, device=home.device)
    if centred:
        for part in _parts(X):
            mean = mean + counts[part] @ xp.astype(X[part, :], xp.float64, copy=False)
        mean = mean / total
    scatter = xp.zeros((n_features, n_features), dtype=xp.float64, device=home.device)
    sums = xp.zeros((targets.n_classes, n_features), dtype=xp.float64, device=home.device)
    for part in _parts(X):
        block = xp.astype(X[part, :], xp.float64, copy=False) - mean
        weighted = block if targets.weights is None else block * counts[part][:, None]
        scatter = scatter + block.T @ weighted
        sums = sums + home.bring(targets.take(part).one_hot()).T @ weighted
    host_mean, host_scatter, host_sums = (home.to_host(v) for v in (mean, scatter, sums))
    remainder = np.zeros(n_features)
    if centred:
        # What is left of the sum: the mean is rounded, and so was its own sum.
        remainder = host_sums.sum(axis=0) / total
        host_scatter = host_scatter - total * np.outer(remainder, remainder)
        host_sums = host_sums - targets.class_totals[:, None] * remainder
    magnitude = np.append(total, np.diagonal(host_scatter))
    return Moments(
        total,
        host_mean,
        host_scatter,
        targets.class_totals,
        host_sums,
        centred,
        remainder,
        magnitude,
    )


class DeviceFeatures(FeatureSpectrum):
    """`FeatureSpectrum` with its rows Z where they live; what it answers is on the host.

    Parameters
    ----------
    X : (n, p) array of another library
    home : Home, where X lives
    targets : Rows, labels and weights
    moments : Moments
    """

    follows_rivals = False

    def __init__(self, X: Any, home: Home, targets: Rows, moments: Moments) -> None:
        xp = home.xp
        self.home, self.targets, self.moments = home, targets, moments
        values, axes = xp.linalg.eigh(home.bring(moments.scatter))
        self.eigenvalues = np.maximum(home.to_host(values), 0.0)
        self._axes = home.to_host(axes)
        self.projections = self._axes.T @ moments.class_sums.T
        self.base = moments.base
        mean = home.bring(moments.mean)
        rotated = [
            xp.astype(
                (xp.astype(X[part, :], xp.float64, copy=False) - mean) @ axes, X.dtype, copy=False
            )
            for part in _parts(X)
        ]
        self.rows = xp.concat(rotated, axis=0)

    def sample(self, rows: Indices) -> "DeviceFeatures":
        part = copy(self)
        part.targets = self.targets.take(rows)
        part.rows = self.home.xp.take(self.rows, self.home.bring(rows), axis=0)
        return part

    def _slack(self, alpha: float) -> Floats:
        shrink = self.home.bring(1 / (self.eigenvalues + alpha), self.rows.dtype)
        quadratic = self.home.to_host((self.rows * self.rows) @ shrink)
        return positive_slack(self.of_quadratic(quadratic, self.targets))

    def of_quadratic(self, quadratic: Floats, targets: Rows) -> Floats:
        """Leverages from the forms z'(S + alpha)^-1 z of some rows, (..., b)."""
        leverages = quadratic if self.base is None else quadratic + 1 / self.moments.total
        if targets.weights is not None:
            leverages = leverages * targets.weights
        return np.asarray(leverages, dtype=quadratic.dtype)

    def _errors(self, alpha: float) -> Floats:
        shrunk = self.projections / -(self.eigenvalues + alpha)[:, None]
        errors = np.array(self.home.to_host(self.rows @ self.home.bring(shrunk, self.rows.dtype)))
        if self.base is not None:
            errors -= self.base.astype(errors.dtype)
        errors[np.arange(len(errors)), self.targets.y] += 1
        return errors

    def _along_the_last(self) -> Floats:
        return self.home.to_host(self.rows[:, -1]).astype(np.float64)

    def _fold_rows(self, fold: Indices) -> Floats:
        return self.home.to_host(self.sample(fold).rows).astype(np.float64)

    def scan(self, alphas: Floats) -> Scan:
        """Hits and squared errors of every row at every alpha, in blocks on the device.

        As `Scanner` does: large scans run in single precision, whose error is measured,
        and close decisions are taken again on the host in double precision.
        """
        n_rows, n_classes = len(self.targets), self.targets.n_classes
        correct = np.empty((len(alphas), n_rows), dtype=bool)
        totals = np.zeros(len(alphas))
        size = int(np.clip(_BLOCK_ENTRIES // (len(alphas) * n_classes), 128, 4096))
        judge = self._judge(alphas)
        for part in slices(n_rows, size):
            correct[:, part], squares = judge.block(part)
            totals += squares
        return Scan(correct, totals / self.targets.total)

    def _judge(self, alphas: Floats) -> "_Judge":
        xp, entries = self.home.xp, len(alphas) * len(self.targets) * self.targets.n_classes
        if self.rows.dtype == xp.float64 and entries > LARGEST_IN_DOUBLE:
            judge = _Judge(self, alphas, xp.float32)
            if judge.doubt < 10 * WORST_ERROR:
                return judge
        return _Judge(self, alphas, self.rows.dtype)


class _Judge:
    """The factors of one scan in one dtype, on the device.

    `doubt` is ten times the error of its predictions, measured on a few rows.
    """

    def __init__(self, spectrum: DeviceFeatures, alphas: Floats, dtype: Any) -> None:
        self._spectrum, self._alphas, self._dtype = spectrum, alphas, dtype
        home, s, n_classes = spectrum.home, spectrum.eigenvalues, spectrum.targets.n_classes
        shrink = 1 / (s[:, None] + alphas)
        left, right = resolvent_factors(s, alphas, 3e-8 if dtype == home.xp.float32 else 1e-11)
        # Without enough alphas, or with too few features, the plain products are fewer.
        if len(right) * (1 + len(alphas) / len(s)) > len(alphas):
            left, right = shrink, np.eye(len(alphas))
        mixed = (left.T[:, None, :] * spectrum.projections.T).reshape(-1, len(s))
        base = np.zeros(n_classes) if spectrum.base is None else spectrum.base
        self._mixed, self._combine = home.bring(mixed, dtype), home.bring(right.T, dtype)
        self._shrink, self._base = home.bring(shrink, dtype), home.bring(base[:, None], dtype)
        self.doubt = max(DOUBTFUL_LEAD, 10 * self._error(slice(0, min(16, len(spectrum.targets)))))

    def _fits(self, rows: Any) -> Any:
        """Training predictions of rows, (k, T, b)."""
        xp, n_classes = self._spectrum.home.xp, self._spectrum.targets.n_classes
        products = xp.reshape(self._mixed @ rows.T, (self._combine.shape[1], -1))
        fits = xp.reshape(self._combine @ products, (len(self._alphas), n_classes, -1))
        return fits + self._base

    def _error(self, part: slice) -> float:
        """Largest difference between these fits and those of the plain formula, in float64."""
        spectrum, home = self._spectrum, self._spectrum.home
        block = spectrum.rows[part, :]
        fits = home.to_host(self._fits(home.xp.astype(block, self._dtype)))
        rows = home.to_host(block).astype(np.float64)
        shrunk = rows / (spectrum.eigenvalues + self._alphas[:, None, None])
        plain = shrunk @ spectrum.projections
        if spectrum.base is not None:
            plain += spectrum.base
        return float(np.abs(fits - plain.transpose(0, 2, 1)).max())

    def block(self, part: slice) -> tuple[Bools, Floats]:
        """Hits (k, b) and weighted squared errors (k,) of some rows."""
        spectrum, home = self._spectrum, self._spectrum.home
        xp, targets = home.xp, spectrum.targets.take(part)
        n_classes = targets.n_classes
        rows = xp.astype(spectrum.rows[part, :], self._dtype, copy=False)
        fits = self._fits(rows)
        own_class = home.bring(targets.one_hot(bool).T)[None, :, :]
        none, zero = (xp.asarray(v, dtype=fits.dtype, device=home.device) for v in (-xp.inf, 0.0))
        others = xp.where(own_class, none, fits)
        own = xp.sum(xp.where(own_class, fits, zero), axis=1)
        squares = xp.sum(fits * fits, axis=1) + 1 - 2 * own
        if spectrum.base is None:
            squares = squares - (1 - xp.sum(fits, axis=1)) ** 2 / n_classes
        quadratic = home.to_host((rows * rows) @ self._shrink).T
        leverages = spectrum.of_quadratic(quadratic, targets)
        # Left out, the own class loses its leverage before the largest other fit is compared.
        lead = home.to_host(own - xp.max(others, axis=1)) - leverages
        hits = lead > 0
        close = np.argwhere(np.abs(lead) <= self.doubt)
        if len(close):
            places = part.start + close[:, 1]
            again = home.to_host(spectrum.sample(places).rows)
            hits[close[:, 0], close[:, 1]] = decide(
                spectrum, again, places, self._alphas[close[:, 0]]
            )
        scaled = home.to_host(squares) * (n_classes / (n_classes - 1))
        scaled = scaled / positive_slack(leverages) ** 2
        return hits, (scaled * targets.counts).sum(axis=1, dtype=np.float64)


def _parts(X: Any) -> list[slice]:
    n_rows = X.shape[0]
    return [*slices(n_rows, BLOCK)]
