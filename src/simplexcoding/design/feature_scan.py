"""Leave-one-out along a whole path on finite features, block by block."""

from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.design.spectrum import Scan

if TYPE_CHECKING:
    from simplexcoding.design.features import FeatureSpectrum

# A scan of alphas x rows x classes beyond this many entries takes longer than a factorisation.
SCAN_LIMIT = 5e8
# Entries of alphas x classes x rows that a block holds: it must stay in cache.
_BLOCK_ENTRIES = 2**21
# Below this many entries in all, single precision saves less than it costs to check.
LARGE = 4e6
# Relative error of the factors of 1/(s + alpha).
_TOLERANCE = {"float64": 1e-11, "float32": 3e-8}
# Single precision is given up where its error in a prediction exceeds this.
WORST_ERROR = 1e-3
# Decisions closer than this are taken again by the plain formula in any precision.
DOUBT = 1e-9


def scan_features(spectrum: "FeatureSpectrum", alphas: Floats) -> Scan:
    """Hits and squared errors of every row at every alpha.

    The products for all alphas come from a fifth to a third as many, see
    `resolvent_factors`. Large scans run in single precision, whose error is measured on a
    first block; every decision closer than ten times that error is taken again in double
    precision. So the hits are those of double precision.
    """
    n_rows, n_classes = len(spectrum.targets), spectrum.targets.n_classes
    correct = np.empty((len(alphas), n_rows), dtype=bool)
    totals = np.zeros(len(alphas))
    dtype: Any = spectrum.rows.dtype
    scanner, doubt = None, DOUBT
    if dtype == np.float64 and correct.size * n_classes > LARGE:
        scanner = _Scanner(spectrum, alphas, np.float32)
        error = scanner.error(slice(0, 16))
        doubt = max(DOUBT, 10 * error)
        if error >= WORST_ERROR:
            scanner, doubt = None, DOUBT
    if scanner is None:
        scanner = _Scanner(spectrum, alphas, dtype)
    size = int(np.clip(_BLOCK_ENTRIES // (len(alphas) * n_classes), 128, 2048))
    for start in range(0, n_rows, size):
        rows = slice(start, min(start + size, n_rows))
        hits, squares = scanner.judge(rows, doubt)
        correct[:, rows] = hits
        totals += squares
    return Scan(correct, totals / spectrum.targets.total)


class _Scanner:
    """The factors of one scan in one dtype."""

    def __init__(self, spectrum: "FeatureSpectrum", alphas: Floats, dtype: Any) -> None:
        self._spectrum = spectrum
        self._alphas = alphas
        self._dtype = dtype
        s = spectrum.eigenvalues
        left, right = resolvent_factors(s, alphas, _TOLERANCE[np.dtype(dtype).name])
        # Without enough alphas, or with too few features, the plain products are fewer.
        self._plain = len(right) * (1 + len(alphas) / len(s)) > len(alphas)
        if self._plain:
            left = 1 / (s[:, None] + alphas)
        # (q T, p): all the products of one block of rows in one call.
        left, projections = left.astype(dtype), spectrum.projections.astype(dtype)
        self._mixed = (left.T[:, None, :] * projections.T).reshape(-1, len(s))
        combine = right.T
        if spectrum.base is not None:
            # The mean of the targets is one more product, the same at every alpha.
            combine = np.column_stack([combine, np.ones(len(alphas))])
        self._combine = np.ascontiguousarray(combine, dtype=dtype)
        self._room: dict[tuple[int, ...], Floats] = {}

    def fits(self, block: Floats) -> Floats:
        """Training predictions of a block of rows, (k, T, b); the next call overwrites them."""
        k, n_classes, base = len(self._alphas), self._spectrum.targets.n_classes, None
        if self._spectrum.base is not None:
            base = self._spectrum.base.astype(self._dtype)[:, None]
        if self._plain:
            fits = np.matmul(self._mixed, block.T, out=self._memory(k * n_classes, len(block)))
            fits = fits.reshape(k, n_classes, -1)
            return fits if base is None else np.add(fits, base, out=fits)
        n_products = self._combine.shape[1]
        products = self._memory(n_products * n_classes, len(block))
        np.matmul(self._mixed, block.T, out=products[: len(self._mixed)])
        if base is not None:
            products[len(self._mixed) :] = base
        fits = self._memory(k, n_classes * len(block))
        np.matmul(self._combine, products.reshape(n_products, -1), out=fits)
        return fits.reshape(k, n_classes, -1)

    def _memory(self, *shape: int) -> Floats:
        """Serves every block: fresh memory of this size is expensive."""
        if shape not in self._room:
            self._room[shape] = np.empty(shape, dtype=self._dtype)
        return self._room[shape]

    def error(self, rows: slice) -> float:
        """Largest difference between these fits and those of the plain formula, in float64."""
        spectrum = self._spectrum
        block = spectrum.rows[rows]
        worst = 0.0
        for alpha, fits in zip(self._alphas, self.fits(block.astype(self._dtype)), strict=True):
            plain = (block / (spectrum.eigenvalues + alpha)) @ spectrum.projections
            if spectrum.base is not None:
                plain += spectrum.base
            worst = max(worst, float(np.abs(fits.T - plain).max()))
        return worst

    def judge(self, rows: slice, doubt: float) -> tuple[Bools, Floats]:
        """Hits (k, b) and weighted squared errors (k,) of a block."""
        spectrum = self._spectrum
        y = spectrum.targets.y[rows]
        inside = np.arange(len(y))
        block = spectrum.rows[rows].astype(self._dtype)
        fits = self.fits(block)
        leverages = spectrum.leverages(self._alphas, rows, block).T
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
        """Take close decisions again."""
        if len(close):
            places = start + close[:, 1]
            rows, alphas = self._spectrum.rows[places], self._alphas[close[:, 0]]
            hits[close[:, 0], close[:, 1]] = decide(self._spectrum, rows, places, alphas)


def decide(spectrum: "FeatureSpectrum", rows: Floats, places: Indices, alphas: Floats) -> Bools:
    """Whether left-out rows are predicted rightly, one by one by the plain formula in float64.

    Parameters
    ----------
    spectrum : FeatureSpectrum
    rows : (m, p) array, rows Z at `places`
    places : (m,) array
    alphas : (m,) array, one for each row
    """
    shrink = 1 / (spectrum.eigenvalues + alphas[:, None])
    rows = rows.astype(np.float64)
    fits = (rows * shrink) @ spectrum.projections
    leverages = np.einsum("ij,ij,ij->i", rows, rows, shrink)
    if spectrum.base is not None:
        fits += spectrum.base
        leverages += 1 / spectrum.moments.total
    if spectrum.targets.weights is not None:
        leverages *= spectrum.targets.weights[places]
    y = spectrum.targets.y[places]
    fits[np.arange(len(y)), y] -= leverages
    decided: Bools = fits.argmax(axis=1) == y
    return decided


def positive_slack(leverages: Floats) -> Floats:
    """1 - h, held above rounding: a row that alone spans a direction has leverage one."""
    slack: Floats = np.maximum(1 - leverages, 16 * np.finfo(leverages.dtype).eps)
    return slack


def resolvent_factors(
    eigenvalues: Floats, alphas: Floats, tolerance: float = 1e-11
) -> tuple[Floats, Floats]:
    """Factors P (r, q) and N (q, k) with P N = 1/(s_j + alpha_k).

    The error is small relative to 1/s_j, because what 1/(s_j + alpha) multiplies grows
    with s_j. For 100 values of alpha over eight decades q is 25 to 40 at a tolerance of
    1e-11 and 15 to 25 at 3e-8: a path costs a fifth to a third of its products.
    """
    smallest = np.finfo(np.float64).tiny
    scale = np.maximum(eigenvalues, max(smallest, 1e-15 * eigenvalues.max(initial=0.0)))
    resolvent = scale[:, None] / (eigenvalues[:, None] + alphas)
    left, values, right = np.linalg.svd(resolvent, full_matrices=False)
    rank = max(1, np.count_nonzero(values > tolerance * values[0]))
    return left[:, :rank] * values[:rank] / scale[:, None], right[:rank]
