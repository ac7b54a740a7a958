"""Leave-one-out along a whole path on finite features, block by block."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.arrays import Bools, Floats
from simplexcoding.spectrum.resolvent import resolvent_factors
from simplexcoding.spectrum.spectrum import Scan

if TYPE_CHECKING:
    from simplexcoding.spectrum.features import FeatureSpectrum

# Entries of alphas x classes x rows that a block holds: it must stay in cache.
_BLOCK_ENTRIES = 2**21
# Below this many entries in all, single precision saves less than it costs to check.
_LARGE = 4e6
# Single precision is given up where its error in a prediction exceeds this.
_WORST_ERROR = 1e-3
# Decisions closer than this are taken again by the plain formula in any precision.
_DOUBT = 1e-9


def scan_features(spectrum: "FeatureSpectrum", alphas: Floats) -> Scan:
    """Hits and squared errors of every row at every alpha.

    The products for all alphas come from a third as many, see `resolvent_factors`. Large
    scans run in single precision, whose error is measured on a first block; every decision
    closer than ten times that error is taken again in double precision. So the hits are
    those of double precision.
    """
    scanner = _Scanner(spectrum, alphas)
    n_rows, n_classes = len(spectrum.targets), spectrum.targets.n_classes
    correct = np.empty((len(alphas), n_rows), dtype=bool)
    totals = np.zeros(len(alphas))
    size = int(np.clip(_BLOCK_ENTRIES // (len(alphas) * n_classes), 128, 2048))
    dtype: Any = spectrum.rows.dtype
    doubt = _DOUBT
    if dtype == np.float64 and correct.size * n_classes > _LARGE:
        first = slice(0, min(64, size))
        error = np.abs(scanner.fits(first, np.float32) - scanner.fits(first, dtype)).max()
        if error < _WORST_ERROR:
            dtype, doubt = np.float32, max(_DOUBT, 10 * float(error))
    for start in range(0, n_rows, size):
        rows = slice(start, min(start + size, n_rows))
        hits, squares = scanner.judge(rows, dtype, doubt)
        correct[:, rows] = hits
        totals += squares
    return Scan(correct, totals / spectrum.targets.total)


class _Scanner:
    """The factors of one scan, in each dtype it is asked in."""

    def __init__(self, spectrum: "FeatureSpectrum", alphas: Floats) -> None:
        self._spectrum = spectrum
        self._alphas = alphas
        s = spectrum.eigenvalues
        left, right = resolvent_factors(s, alphas)
        # Without enough alphas, or with too few features, the plain products are fewer.
        self._plain = len(right) * (1 + len(alphas) / len(s)) > len(alphas)
        if self._plain:
            left = 1 / (s[:, None] + alphas)
        # (q T, p): all the products of one block of rows in one call.
        mixed = left.T[:, None, :] * spectrum.projections.T
        self._mixed = mixed.reshape(-1, len(s))
        self._combine = np.ascontiguousarray(right.T)
        self._cast: dict[Any, tuple[Floats, Floats]] = {}

    def fits(self, rows: slice, dtype: Any) -> Floats:
        """Training predictions of a block, (k, T, b)."""
        if dtype not in self._cast:
            self._cast[dtype] = (self._mixed.astype(dtype), self._combine.astype(dtype))
        mixed, combine = self._cast[dtype]
        products = mixed @ self._spectrum.rows[rows].astype(dtype, copy=False).T
        if not self._plain:
            products = combine @ products.reshape(combine.shape[1], -1)
        fits = products.reshape(len(combine), self._spectrum.targets.n_classes, -1)
        if self._spectrum.base is not None:
            fits += self._spectrum.base.astype(dtype)[:, None]
        return fits

    def judge(self, rows: slice, dtype: Any, doubt: float) -> tuple[Bools, Floats]:
        """Hits (k, b) and weighted squared errors (k,) of a block."""
        spectrum = self._spectrum
        y = spectrum.targets.y[rows]
        inside = np.arange(len(y))
        fits = self.fits(rows, dtype)
        leverages = spectrum.leverages(self._alphas, rows, dtype).T
        n_classes = fits.shape[1]
        own = fits[:, y, inside]
        # Errors are Y - fits: one square is (1 - own)^2, the others are fits^2.
        squares = np.einsum("ktb,ktb->kb", fits, fits) + 1 - 2 * own
        if spectrum.base is None:
            squares -= (1 - fits.sum(axis=1)) ** 2 / n_classes
        squares *= n_classes / (n_classes - 1) / positive_slack(leverages) ** 2
        if spectrum.targets.weights is not None:
            squares *= spectrum.targets.weights[rows]
        # Left out, the own class loses its leverage before the largest fit wins.
        fits[:, y, inside] = -np.inf
        lead = own - leverages - fits.max(axis=1)
        hits = lead > 0
        self._settle(hits, np.argwhere(np.abs(lead) <= doubt), rows.start)
        return hits, squares.sum(axis=1, dtype=np.float64)

    def _settle(self, hits: Bools, close: Any, start: int) -> None:
        """Take close decisions again, one by one, by the plain formula in double precision."""
        if not len(close):
            return
        spectrum, alphas = self._spectrum, self._alphas[close[:, 0]]
        places = start + close[:, 1]
        shrink = 1 / (spectrum.eigenvalues + alphas[:, None])
        rows = spectrum.rows[places].astype(np.float64)
        fits = (rows * shrink) @ spectrum.projections
        leverages = np.einsum("ij,ij,ij->i", rows, rows, shrink)
        if spectrum.base is not None:
            fits += spectrum.base
            leverages += 1 / spectrum.moments.total
        if spectrum.targets.weights is not None:
            leverages *= spectrum.targets.weights[places]
        y = spectrum.targets.y[places]
        fits[np.arange(len(y)), y] -= leverages
        hits[close[:, 0], close[:, 1]] = fits.argmax(axis=1) == y


def positive_slack(leverages: Floats) -> Floats:
    """1 - h, held above rounding: a row that alone spans a direction has leverage one."""
    slack: Floats = np.maximum(1 - leverages, 16 * np.finfo(leverages.dtype).eps)
    return slack
