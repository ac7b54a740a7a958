"""Leave-one-out along a whole path on finite features, block by block."""

from collections.abc import Iterator
from math import prod
from threading import local
from typing import TYPE_CHECKING, Any

import numpy as np

from simplexcoding.arrays import Bools, Floats, Indices, slices
from simplexcoding.design.spectra.spectrum import Scan
from simplexcoding.threads import in_parts

if TYPE_CHECKING:
    from simplexcoding.design.spectra.features import FeatureSpectrum

# A scan of alphas x rows x classes beyond this many entries takes longer than a factorisation.
SCAN_LIMIT = 5e8
# Entries of products x classes x rows that a block of rows holds, and of alphas x classes x
# rows at a time: they must stay in cache.
_BLOCK_ENTRIES, _CHUNK_ENTRIES = 2**21, 2**17
_FEWEST_ROWS, _MOST_ROWS = 256, 2048
# A scan beyond this many entries is worth a second of compilation.
_COMPILED_ENTRIES = 2e8
# Below this many entries in all, single precision saves less than it costs to check.
LARGEST_IN_DOUBLE = 4e6
# Relative error of the factors of 1/(s + alpha).
_TOLERANCE = {"float64": 1e-11, "float32": 3e-8}
# In single precision fewer factors do, if the predictions of some rows are within this.
_SMALL_ERROR = 1e-5
# Single precision is given up where its error in a prediction exceeds this.
WORST_ERROR = 1e-3
# Decisions closer than this are taken again by the plain formula in any precision.
DOUBTFUL_LEAD = 1e-9
# Errors are measured on this many rows, and others may have so many times theirs; the number
# of factors is chosen by this many alphas.
_MEASURED_ROWS, _SAFETY, _MEASURED_ALPHAS = 16, 10.0, 4


class Scanner:
    """Answers for rows of one fit at the same alphas, block by block.

    The products for all alphas come from a tenth to a third as many, see
    `resolvent_factors`. Large scans run in single precision with fewer of them. Their error
    is measured on some rows, and grows from row to row as the root of the leverage; every
    decision closer than ten times that is taken again in double precision. So the hits are
    those of double precision.

    Parameters
    ----------
    spectrum : FeatureSpectrum, with rows to measure errors on
    alphas : (k,) array
    dtype : float32 or float64, in which products are taken
    """

    def __init__(self, spectrum: "FeatureSpectrum", alphas: Floats, dtype: Any) -> None:
        self.alphas = alphas
        self._dtype = np.dtype(dtype)
        s = spectrum.eigenvalues
        left, right = resolvent_factors(s, alphas, _TOLERANCE[self._dtype.name])
        if dtype == np.float32:
            rank = _sufficient_rank(spectrum, alphas, left, right)
            left, right = left[:, :rank], right[:rank]
        # Without enough alphas, or with too few features, the plain products are fewer.
        self._plain = len(right) * (1 + len(alphas) / len(s)) > len(alphas)
        self._left = 1 / (s[:, None] + alphas) if self._plain else left
        # The mean of the targets is one more product, the same at every alpha.
        combine = np.column_stack([right.T, np.ones(len(alphas))])
        self._combine = np.ascontiguousarray(combine, dtype=dtype)
        n_classes = spectrum.targets.n_classes
        base = np.zeros(n_classes) if spectrum.base is None else spectrum.base
        self._base = base.astype(dtype)[:, None]
        fitting = _BLOCK_ENTRIES // (self._left.shape[1] * n_classes)
        self._block_rows = int(np.clip(fitting, _FEWEST_ROWS, _MOST_ROWS))
        # Error of a fit over the root of its row's leverage.
        self._relative_error = 0.0
        self._mixed: Floats | None = None
        self._compiles = False
        self._rooms = local()

    @classmethod
    def of(cls, spectrum: "FeatureSpectrum", alphas: Floats, times: float = 1.0) -> "Scanner":
        """In single precision where rows are many, and its error on some of them is small.

        `times` says how many times the rows of the spectrum will be asked about.
        """
        entries = len(alphas) * len(spectrum.targets) * spectrum.targets.n_classes
        scanner = cls(spectrum, alphas, np.float32 if entries > LARGEST_IN_DOUBLE else np.float64)
        if entries > LARGEST_IN_DOUBLE and scanner.measured_error(spectrum) >= WORST_ERROR:
            scanner = cls(spectrum, alphas, np.float64)
        scanner._compiles = times * entries > _COMPILED_ENTRIES
        return scanner

    def __getstate__(self) -> dict[str, Any]:
        """All but the factors of the products, which are made anew where they are needed."""
        state = self.__dict__ | {"_mixed": None}
        del state["_rooms"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _rooms=local())

    def scan(self, spectrum: "FeatureSpectrum") -> Scan:
        """Hits and squared errors of every row that the fit is asked about."""
        n_rows, n_alphas = len(spectrum.targets), len(self.alphas)
        correct, totals = np.empty((n_alphas, n_rows), dtype=bool), np.zeros(n_alphas)
        memory = self._memory()
        for rows in slices(n_rows, self._block_rows):
            correct[:, rows], squares = self._judge(spectrum, rows, memory)
            totals += squares
        return Scan(correct, totals / spectrum.targets.total)

    def _memory(self) -> "_Memory":
        """That of this thread: blocks that come in turn find it warm."""
        if not hasattr(self._rooms, "memory"):
            self._rooms.memory = _Memory(self._dtype)
        memory: _Memory = self._rooms.memory
        return memory

    def _products(self, spectrum: "FeatureSpectrum", block: Floats, memory: "_Memory") -> Floats:
        """Products (q + 1, T, b) of a block of rows; the last has room for the mean targets."""
        if self._mixed is None:
            left = self._left.astype(self._dtype)
            projections = spectrum.projections.astype(self._dtype)
            self._mixed = (left.T[:, None, :] * projections.T).reshape(-1, len(left))
        n_classes, b = len(self._base), len(block)
        products = memory.of("products", len(self._mixed) + n_classes, b)
        np.matmul(self._mixed, block.T, out=products[:-n_classes])
        if not self._compiles:  # The compiled pass adds it itself.
            products[-n_classes:] = self._base
        return products.reshape(-1, n_classes, b)

    def _fits(self, products: Floats, memory: "_Memory") -> Iterator[tuple[slice, Floats]]:
        """Training predictions of a block of rows, some classes at a time.

        Gives the classes and the predictions (k, c, b), which the next ones overwrite.
        """
        n_alphas, (_, n_classes, b) = len(self.alphas), products.shape
        size = max(1, _CHUNK_ENTRIES // (n_alphas * b))
        for classes in slices(n_classes, size):
            part = products[:, classes].reshape(len(products), -1)
            room = memory.of("fits", n_alphas, part.shape[1])
            if self._plain:
                np.add(part[:-1], part[-1], out=room)
            else:
                np.matmul(self._combine, part, out=room)
            yield classes, room.reshape(n_alphas, -1, b)

    def measured_error(self, spectrum: "FeatureSpectrum") -> float:
        """Largest difference between some fits and those of the plain formula, in float64.

        A fit is z'D b with factors D of 1/(s + alpha): by the inequality of Cauchy and Schwarz
        an error in D is at most ||z/sqrt(s)|| ||b/sqrt(s)|| of its size relative to 1/s, and
        the first factor is the root of the row's leverage.
        """
        worst, memory = 0.0, self._memory()
        block = spectrum.rows[:_MEASURED_ROWS].astype(np.float64)
        shrink = 1 / (spectrum.eigenvalues[:, None] + self.alphas)
        roots = np.sqrt(np.square(block) @ shrink + np.finfo(float).tiny)
        plain = np.stack([(block * d) @ spectrum.projections for d in shrink.T])
        plain = plain.transpose(0, 2, 1) + self._base
        products = self._products(spectrum, block.astype(self._dtype), memory)
        for classes, fits in self._fits(products, memory):
            errors = np.abs(fits - plain[:, classes]).max(axis=1)
            worst = max(worst, float(errors.max()))
            self._relative_error = max(self._relative_error, float((errors / roots.T).max()))
        return worst

    def _judge(
        self, spectrum: "FeatureSpectrum", rows: slice, memory: "_Memory"
    ) -> tuple[Bools, Floats]:
        """Hits (k, b) and weighted squared errors (k,) of a block."""
        y = spectrum.targets.y[rows]
        block = memory.of("rows", len(y), spectrum.rows.shape[1])
        np.copyto(block, spectrum.rows[rows])
        products = self._products(spectrum, block, memory)
        n_classes = len(self._base)
        reduce = self._reduce_compiled if self._compiles else self._reduce
        own, others, squares = reduce(products, y, memory)
        leverages = spectrum.leverages(self.alphas, rows, block).T
        # Errors are Y - fits: one square is (1 - own)^2, the others are fits^2.
        squares += 1 - 2 * own
        if spectrum.base is None:
            sums = products[:-1].sum(axis=1)
            sums = sums if self._plain else self._combine[:, :-1] @ sums
            squares -= (1 - sums) ** 2 / n_classes
        squares *= n_classes / (n_classes - 1) / positive_slack(leverages) ** 2
        if spectrum.targets.weights is not None:
            squares *= spectrum.targets.weights[rows]
        # Left out, the own class loses its leverage before the largest fit wins.
        lead = own - leverages - others
        hits = lead > 0
        close = np.argwhere(np.abs(lead) <= self._doubt(spectrum, rows, leverages))
        self._settle(spectrum, hits, close, rows.start)
        return hits, squares.sum(axis=1, dtype=np.float64)

    def _reduce(self, products: Floats, y: Indices, memory: "_Memory") -> tuple[Floats, ...]:
        """Of each row at each alpha: own fit, largest of the others, sum of squares; (k, b)."""
        shape = (len(self.alphas), len(y))
        own, squares = (np.zeros(shape, dtype=self._dtype) for _ in range(2))
        # A number, not infinity: products may read what they are about to overwrite.
        lowest = np.finfo(self._dtype).min
        others = np.full(shape, lowest, dtype=self._dtype)
        for classes, fits in self._fits(products, memory):
            squares += np.einsum("ktb,ktb->kb", fits, fits)
            here = np.flatnonzero((y >= classes.start) & (y < classes.stop))
            place = y[here] - classes.start
            own[:, here] = fits[:, place, here]
            fits[:, place, here] = lowest
            np.maximum(others, fits.max(axis=1), out=others)
        return own, others, squares

    def _reduce_compiled(
        self, products: Floats, y: Indices, memory: "_Memory"
    ) -> tuple[Floats, ...]:
        """The same, each product read once."""
        from simplexcoding.design.spectra.scan_rows import reduce_fits  # Compiled on first use.

        shape = (len(self.alphas), len(y))
        own, others, squares = (np.empty(shape, dtype=self._dtype) for _ in range(3))
        base, places = self._base[:, 0], y.astype(np.int32)
        combine = np.ascontiguousarray(self._combine[:, :-1])
        one = np.ones((1, 1), dtype=self._dtype)

        def reduce(first: int, last: int) -> None:
            if not self._plain:
                parts = [(products[:-1], combine, base, places, own, others, squares)]
            else:
                alphas = [slice(k, k + 1) for k in range(len(own))]
                parts = [
                    (products[k], one, base, places, own[k], others[k], squares[k]) for k in alphas
                ]
            for part in parts:
                reduce_fits(*part, first, last)

        in_parts(reduce, len(y))
        return own, others, squares

    def _doubt(self, spectrum: "FeatureSpectrum", rows: slice, leverages: Floats) -> Any:
        """Leads (k, b) below which the error of single precision could decide."""
        weights = spectrum.targets.weights
        # Leverages hold the weights of their rows; errors do not.
        own = leverages if weights is None else leverages / weights[rows]
        return np.maximum(DOUBTFUL_LEAD, _SAFETY * self._relative_error * np.sqrt(own))

    def _settle(self, spectrum: "FeatureSpectrum", hits: Bools, close: Any, start: int) -> None:
        """Take close decisions again."""
        if len(close):
            places = start + close[:, 1]
            rows, alphas = spectrum.rows[places], self.alphas[close[:, 0]]
            hits[close[:, 0], close[:, 1]] = decide(spectrum, rows, places, alphas)


class _Memory:
    """Serves every block of a scan: fresh memory of this size is expensive."""

    def __init__(self, dtype: Any) -> None:
        self._dtype = dtype
        self._kept: dict[str, Floats] = {}

    def of(self, purpose: str, *shape: int) -> Floats:
        """An array whose values are what they may be; the last one of the same purpose goes."""
        size = prod(shape)
        if len(self._kept.get(purpose, ())) < size:
            self._kept[purpose] = np.zeros(size, dtype=self._dtype)
        return self._kept[purpose][:size].reshape(shape)


def _sufficient_rank(
    spectrum: "FeatureSpectrum", alphas: Floats, left: Floats, right: Floats
) -> int:
    """The fewest factors by which predictions of some rows at some alphas err little."""
    block = spectrum.rows[:_MEASURED_ROWS].astype(np.float64)
    some = np.unique(np.linspace(0, len(alphas) - 1, _MEASURED_ALPHAS).round().astype(int))
    exact = 1 / (spectrum.eigenvalues[:, None] + alphas[some])
    for rank in range(1, len(right)):
        gaps = (left[:, :rank] @ right[:rank, some] - exact).T
        if all(np.abs((block * gap) @ spectrum.projections).max() <= _SMALL_ERROR for gap in gaps):
            return rank
    return len(right)


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
