"""Kernels k(x, z), and the width rule of the paper."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist

from simplexcoding.arrays import Floats, Indices, common_offset, moved, slices
from simplexcoding.rows import row_weights

KERNELS = ("linear", "rbf", "exponential", "laplacian", "poly", "precomputed")
# Those that inner products determine: other array libraries compute them.
OF_PRODUCTS = tuple(name for name in KERNELS if name not in ("laplacian", "precomputed"))
# Functions of the Euclidean distance.
_RADIAL = ("rbf", "exponential")
# Functions of a distance, to which one width is fitted.
OF_DISTANCES = (*_RADIAL, "laplacian")
# Those that estimators offer for sparse rows.
OF_SPARSE_ROWS = ("linear", "rbf", "poly")

# Pairwise distances are taken among at most this many distinct rows.
WIDTH_ROWS = 2500
_WIDTH_BLOCK = 250


@dataclass(frozen=True, eq=False)
class Kernel:
    """A kernel with its parameters.

    linear       <x, z>
    rbf          exp(-gamma ||x - z||^2)
    exponential  exp(-gamma ||x - z||_2), the Matern kernel of smoothness 1/2
    laplacian    exp(-gamma ||x - z||_1)
    poly         (gamma <x, z> + coef0)^degree
    precomputed  rows hold kernel values already; Z are the numbers of the columns to take
    callable     name(X, Z) -> (n, m)

    Parameters
    ----------
    name : str or callable, default="linear"
        One of those above.
    gamma : float, default=1.0
        Inverse width, or scale of the products for poly.
    degree : float, default=3
        Exponent of poly.
    coef0 : float, default=1.0
        What poly adds to the scaled products.
    scale : (p,) array, default=None
        What the features are divided by first; None for nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from simplexcoding.kernels import Kernel
    >>> Kernel("rbf", gamma=0.5).matrix(np.array([[0.0], [2.0]])).round(3)
    array([[1.   , 0.135],
           [0.135, 1.   ]])
    """

    name: str | Callable[[Any, Any], Any] = "linear"
    gamma: float = 1.0
    degree: float = 3
    coef0: float = 1.0
    scale: Floats | None = None
    """Lengths (p,) that the features are divided by before all else, or None for ones."""

    @property
    def proven(self) -> bool:
        """Whether the values are symmetric and positive semi-definite by their formula."""
        if self.name == "poly":
            return self.coef0 >= 0 and self.degree == int(self.degree)
        return not (callable(self.name) or self.precomputed)

    def scaled(self, X: Any) -> Any:
        """Rows as the formulas above see them: features over their scale."""
        if self.scale is None:
            return X
        scale = self.scale.astype(X.dtype, copy=False)
        return X.multiply(1 / scale).tocsr() if issparse(X) else X / scale

    def matrix(self, X: Any, Z: Any = None) -> Floats:
        """Kernel values, (n, m); of X with itself where Z is None. O(n m p)."""
        if self.scale is not None:
            unscaled = replace(self, scale=None)
            return unscaled.matrix(self.scaled(X), None if Z is None else self.scaled(Z))
        other = X if Z is None else Z
        if self.precomputed:
            return X if Z is None else X[:, Z]
        if callable(self.name):
            # A copy: the values may be the callable's own, and will be worked on in place.
            values = np.array(self.name(X, other))
            if values.shape != (X.shape[0], other.shape[0]):
                raise ValueError(
                    f"kernel(X, Z) must return shape {(X.shape[0], other.shape[0])}, "
                    f"got {values.shape}."
                )
            if values.dtype.kind not in "fiub":
                raise ValueError(f"kernel(X, Z) must return real numbers, got {values.dtype}.")
            return values if values.dtype.kind == "f" else values.astype(np.float64)
        if self.name == "laplacian":
            return np.exp(-self.gamma * cdist(X, other, "cityblock")).astype(X.dtype, copy=False)
        if self.name in _RADIAL and issparse(X) == issparse(other):
            # Distances do not change, and their digits are not spent on a common offset.
            offset = common_offset(other)
            if issparse(X) and Z is not None:
                offset = np.where(common_offset(X) != 0, offset, 0.0)
            other = moved(other, offset)
            X = other if Z is None else moved(X, offset)
        products = _products(X, other)
        if self.linear:
            return products
        if self.name == "poly":
            products *= self.gamma
            products += self.coef0
            # A power that is undefined or overflows is found by whoever uses the values.
            with np.errstate(invalid="ignore", over="ignore"):
                return np.power(products, self.degree, out=products)
        return self._radial(products, X, other, Z is None)

    @property
    def linear(self) -> bool:
        """Whether it is the inner product, whose functions are linear in the features."""
        return isinstance(self.name, str) and self.name == "linear"

    @property
    def precomputed(self) -> bool:
        """Whether rows are kernel values already."""
        return isinstance(self.name, str) and self.name == "precomputed"

    @property
    def radial(self) -> bool:
        """Whether it is a function of the Euclidean distance alone."""
        return self.name in _RADIAL

    @property
    def slow_spectrum(self) -> bool:
        """Whether the eigenvalues fall slowly, so that a few landmarks lose much."""
        return self.name in ("exponential", "laplacian")

    def of_squares(self, squares: Floats) -> Floats:
        """Values of a radial kernel from squared distances between scaled rows, of any shape."""
        values = np.sqrt(squares) if self.name == "exponential" else squares.copy()
        values *= -self.gamma
        return np.exp(values, out=values)

    def _radial(self, products: Floats, X: Any, Z: Any, same: bool) -> Floats:
        """exp(-gamma ||x - z||^2), or exp(-gamma ||x - z||), from <x, z>, in place by blocks."""
        rows, columns = squared_lengths(X), squared_lengths(Z)
        noise = 4 * np.finfo(products.dtype).eps
        # Blocks that stay in cache: five passes over a large matrix would be five trips.
        size = max(1, 65536 // max(1, len(columns)))
        for part in slices(len(rows), size):
            block = products[part]
            block *= -2
            block += columns
            block += rows[part, None]
            np.maximum(block, 0, out=block)
            if self.name == "exponential":
                # Rounding is felt by the root near zero: equal rows must be at distance zero.
                block[block <= noise * (columns + rows[part, None])] = 0
                np.sqrt(block, out=block)
            block *= -self.gamma
            np.exp(block, out=block)
        if same:
            np.fill_diagonal(products, 1.0)
        return products


def has_gamma(kernel: Any) -> bool:
    """Whether a kernel, by its name or a callable, has the parameter gamma."""
    return not callable(kernel) and kernel not in ("linear", "precomputed")


def gamma_values(kernel: Any, gamma: Any, X: Any, random_state: int = 0) -> list[float]:
    """Values of gamma to try, from a number, a list or "quantile".

    "quantile" takes the width sigma of `quantile_width`: 1/(2 sigma^2) for rbf, 1/sigma for
    exponential and laplacian; for poly it is 1/(p Var X), scikit-learn's "scale". Kernels
    without a gamma give one value, 1.
    """
    if not callable(kernel) and kernel not in KERNELS:
        raise ValueError(
            f"kernel must be one of {', '.join(KERNELS)} or a callable, got {kernel!r}."
        )
    if not has_gamma(kernel):
        return [1.0]
    if isinstance(gamma, str):
        if gamma != "quantile":
            raise ValueError(f'gamma must be a number, a list or "quantile", got {gamma!r}.')
        if kernel == "poly":
            spread = X.shape[1] * _variance(X)
            return [1.0 / spread if spread > 0 else 1.0]
        return [gamma_of_width(kernel, quantile_width(X, random_state))]
    values = np.atleast_1d(np.asarray(gamma, dtype=np.float64))
    if not values.size:
        raise ValueError('gamma must not be empty: give a number, a list or "quantile".')
    for value in values:
        if not 0 < value < np.inf:
            raise ValueError(f"gamma must be positive and finite, got {value:g}.")
    return [float(value) for value in values]


def gamma_of_width(kernel: str, width: float) -> float:
    """The gamma of a radial or laplacian kernel whose width is sigma."""
    return 1 / (2 * width**2) if kernel == "rbf" else 1 / width


def feature_spreads(X: Any, weights: Floats | None = None) -> Floats:
    """Standard deviation of each feature, (p,); one where a feature does not vary.

    Means and squares are taken in float64, a block of rows at a time. Rows of weight two
    count as two rows.
    """
    n_rows, n_features = X.shape
    w = row_weights(weights, n_rows)
    total = float(w.sum())
    if issparse(X):
        entries = X.tocsc().astype(np.float64)
        column = np.repeat(np.arange(n_features), np.diff(entries.indptr))
        weight = w[entries.indices]
        mean = np.bincount(column, weight * entries.data, minlength=n_features) / total
        present = np.bincount(column, weight, minlength=n_features)
        distances = weight * (entries.data - mean[column]) ** 2
        squares = np.bincount(column, distances, minlength=n_features).astype(np.float64)
        squares += (total - present) * mean**2  # An absent entry is zero.
    else:
        size = max(1, 2**20 // max(1, n_features))
        parts = [*slices(n_rows, size)]
        mean = sum((w[part] @ X[part].astype(np.float64) for part in parts), np.zeros(n_features))
        mean /= total
        squares = np.zeros(n_features)
        for part in parts:
            block = X[part].astype(np.float64) - mean
            squares += w[part] @ np.square(block, out=block)
    spreads = np.sqrt(squares / total)
    # Rounding of a constant feature is no spread.
    noise = 10 * np.finfo(X.dtype).eps * np.abs(mean)
    return np.where(spreads > noise, spreads, 1.0)


def _variance(X: Any) -> float:
    if issparse(X):
        mean = X.mean()
        return float((X.multiply(X)).mean() - mean**2)
    return float(X.var())


def squared_lengths(X: Any) -> Floats:
    """||x||^2 of each row."""
    if issparse(X):
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", X, X)


def squared_distances(X: Any) -> Floats:
    """||x - z||^2 between all rows, (n, n), zero on the diagonal. O(n^2 p)."""
    X = moved(X, common_offset(X))
    squares, lengths = _products(X, X), squared_lengths(X)
    squares *= -2
    squares += lengths
    squares += lengths[:, None]
    # Equal rows are at distance zero, whatever rounding says.
    noise = 4 * np.finfo(squares.dtype).eps
    squares[squares <= noise * (lengths + lengths[:, None])] = 0
    return squares


def quantile_width(X: Any, random_state: int = 0) -> float:
    """Width sigma: 25th percentile of the distances between distinct rows.

    Repeated rows count once, and above 2,500 distinct rows a seeded sample of them is
    used, so that neither the order nor the repetition of rows matters.
    """
    sample = distinct_sample(X, WIDTH_ROWS, random_state)
    rows = X[sample]
    rows = rows.toarray() if issparse(rows) else np.asarray(rows)
    rows = rows.astype(np.float64)
    rows -= common_offset(rows)
    lengths = squared_lengths(rows)
    parts = []
    for block in slices(len(rows), _WIDTH_BLOCK):
        start = block.start
        sums = lengths[block, None] + lengths[start:]
        distances = sums - 2 * (rows[block] @ rows[start:].T)
        # Each pair once; rows that differ only by rounding are no measure of width.
        parts.append(distances[np.triu(distances > 1e-14 * sums, k=1)])
    squares = np.concatenate(parts)
    if not squares.size:
        raise ValueError(
            'gamma="quantile" needs two distinct rows in X, got copies of one row; '
            "give gamma a number."
        )
    return float(np.sqrt(np.percentile(squares, 25, overwrite_input=True)))


def distinct_sample(X: Any, size: int, random_state: int = 0) -> Indices:
    """Indices of at most `size` distinct rows, the same rows whatever the order of X.

    Rows are told apart by a 64-bit hash of their bits: O(n p).
    """
    keys = row_keys(X)
    _, first = np.unique(keys, return_index=True)
    if len(first) > size:
        # np.unique sorts by key, so the draw is made from an order the data alone fixes.
        chosen = np.random.default_rng(random_state).choice(len(first), size, replace=False)
        first = first[np.sort(chosen)]
    return np.sort(first)


def row_keys(X: Any) -> Any:
    """One 64-bit integer per row, equal for equal rows."""
    n_features = X.shape[1]
    odd = np.random.default_rng(0).integers(1, 2**63, n_features, dtype=np.uint64) | np.uint64(1)
    if issparse(X):
        X = X.tocsr().copy()
        X.sum_duplicates()
        X.eliminate_zeros()
        bits = _bits(X.data)
        keys = np.zeros(X.shape[0], dtype=np.uint64)
        np.add.at(keys, np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)), bits * odd[X.indices])
        return keys
    keys = np.empty(len(X), dtype=np.uint64)
    # As many values as stay in cache.
    size = max(1, 2**16 // max(1, n_features))
    for part in slices(len(X), size):
        keys[part] = _bits(X[part]) @ odd
    return keys


def _bits(values: Floats) -> Any:
    # Zero added: -0.0 and 0.0 are the same number and must be the same bits.
    bits = np.add(values, 0.0, dtype=np.float64, order="C").view(np.uint64)
    # Mixed, because round numbers share their trailing zeros and low products would too.
    bits ^= bits >> np.uint64(32)
    bits *= np.uint64(0x9E3779B97F4A7C15)
    return bits


def _products(X: Any, Z: Any) -> Floats:
    products = X @ Z.T
    return products.toarray() if issparse(products) else products
