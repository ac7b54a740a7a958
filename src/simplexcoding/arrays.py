"""Names for the arrays that travel through the package, and the checks and moves they all make."""

import warnings
from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse

# Written as float64 for the type checker; float32 in gives float32 out everywhere.
Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]

# Rows that tell a spread, and the spreads from zero beyond which single steps learn little.
_ROWS_THAT_TELL_A_SPREAD, _MOST_SPREADS_FROM_ZERO = 30, 30.0


def are_words(labels: Any) -> bool:
    """Whether labels are strings, by the first: numpy would turn numbers beside them into strings.

    Examples
    --------
    >>> are_words(np.array(["a", "b"])), are_words(np.array([0, 1]))
    (True, False)
    """
    kind = np.asarray(labels).dtype.kind
    return kind in "UST" or (kind == "O" and isinstance(labels[0], str))


def is_dask(values: Any) -> bool:
    """Whether an object is a Dask collection; imports nothing.

    Examples
    --------
    >>> is_dask([1, 2])
    False
    """
    return hasattr(values, "__dask_graph__") and hasattr(values, "dask")


def centred(rows: Floats) -> Floats:
    """Rows less their means: the projection on rows that sum to zero.

    Examples
    --------
    >>> import numpy as np
    >>> centred(np.array([[1.0, 2.0, 6.0]]))
    array([[-2., -1.,  3.]])
    """
    return rows - rows.mean(axis=1, keepdims=True)


def keep_unwritten(*arrays: Floats) -> None:
    """Let nobody write to arrays that are kept and handed out."""
    for array in arrays:
        array.flags.writeable = False


# Entries in a block of rows, which stays in cache.
_BLOCK = 1 << 16


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Runs of rows that stay in cache while they are worked on.

    Examples
    --------
    >>> list(row_blocks(3, 1 << 15))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    return slices(n_rows, max(_BLOCK // n_columns, 1))


def slices(n: int, size: int) -> Iterator[slice]:
    """Slices of so many places, the last one perhaps shorter, that cover n of them in turn.

    Examples
    --------
    >>> list(slices(5, 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def leads(S: Floats, y: Indices) -> Floats:
    """Scores of the classes y less the largest score of another class, (n,).

    Examples
    --------
    >>> leads(np.array([[3.0, 1.0, -4.0], [0.5, 1.0, -1.5]]), np.array([0, 0]))
    array([ 2. , -0.5])
    """
    rows = np.arange(len(S))
    others = S.copy()
    others[rows, y] = -np.inf
    return np.asarray(S[rows, y] - others.max(axis=1))


# Rows whose median stands for that of all rows.
_MEDIAN_ROWS = 100


def common_offset(X: Any) -> Floats:
    """What rows may be moved by so that products do not spend their digits on it, (p,).

    The median of each column over a hundred rows or more, in float64: a mean would follow a row
    that is far from all others, and take the digits of the others with it. Of a sparse matrix
    only columns without zeros have one: it stays as sparse as it was, and a column with
    zeros cannot be far from zero.
    """
    sample = X[:: max(1, X.shape[0] // _MEDIAN_ROWS)]
    if not issparse(X):
        return np.median(np.asarray(sample, dtype=np.float64), axis=0)
    offset = np.zeros(X.shape[1])
    full = np.flatnonzero(np.bincount(X.indices, minlength=X.shape[1]) == X.shape[0])
    if len(full):
        offset[full] = np.median(sample[:, full].toarray().astype(np.float64), axis=0)
    return offset


def moved(X: Any, offset: Floats) -> Any:
    """Rows less an offset, in their own dtype; of a sparse matrix the entries that it holds."""
    if not issparse(X):
        return X - offset.astype(X.dtype)
    X = X.tocsr().copy()
    X.data = (X.data - offset[X.indices]).astype(X.dtype, copy=False)
    return X


def shown(value: Any) -> str:
    """A value as a message names it: in one line, long arrays by their shape.

    Examples
    --------
    >>> shown([1, -1]), shown(np.ones((20, 2)))
    ('[1, -1]', 'an array of shape (20, 2)')
    """
    text = " ".join(repr(value).split())
    if len(text) <= 80:
        return text
    if getattr(value, "shape", ()):
        return f"an array of shape {value.shape}"
    return f"{text[:60]}... of type {type(value).__name__}"


def class_indices(y: ArrayLike, n_classes: int) -> Indices:
    """Return y as a flat array of indices, or say why it is none."""
    index = np.asarray(y)
    if index.ndim != 1:
        raise ValueError(f"y must be one-dimensional, got shape {index.shape}.")
    if index.size and not np.issubdtype(index.dtype, np.integer):
        raise ValueError(
            f"y must hold integer class indices, got dtype {index.dtype}; "
            "np.unique(labels, return_inverse=True)[1] turns labels into indices."
        )
    if index.size and (index.min() < 0 or index.max() >= n_classes):
        wrong = index.min() if index.min() < 0 else index.max()
        raise ValueError(f"y holds {wrong}, outside 0..{n_classes - 1} for {n_classes} classes.")
    return index.astype(np.intp, copy=False)


def check_real(X: Any) -> None:
    """Refuse complex features in one line; scikit-learn's would show them all."""
    if getattr(getattr(X, "dtype", None), "kind", "") == "c" or (
        isinstance(X, list | tuple) and np.iscomplexobj(X)
    ):
        raise ValueError(
            "X holds complex numbers. Complex data not supported: give their real and "
            "imaginary parts as columns."
        )


def check_squares(X: Any) -> None:
    """Refuse features whose squares leave the range of their dtype: inner products need them."""
    largest, limits = largest_entry(X), np.finfo(X.dtype)
    if largest > np.sqrt(float(limits.max) / (4 * max(1, X.shape[1]))):
        raise ValueError(f"X holds {largest:g}, whose square overflows {X.dtype}: scale X down.")
    if 0 < largest < 100 * np.sqrt(float(limits.tiny)):
        raise ValueError(
            f"X holds no more than {largest:g}, whose square underflows {X.dtype}: scale X up."
        )


def spreads_from_zero(X: Any) -> float:
    """Length of the mean row over the root mean squared distance of rows from it. O(n p).

    Examples
    --------
    >>> spreads_from_zero(np.array([[9.0], [11.0]]))
    10.0
    """
    n_rows = X.shape[0]
    mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel()
    if issparse(X):
        square = float(X.data.astype(np.float64) @ X.data) / n_rows
    else:
        square = float(np.einsum("ij,ij->", X, X, dtype=np.float64)) / n_rows
    length = float(mean @ mean)
    # A difference of rounding is no spread.
    return float(np.sqrt(length / max(square - length, 1e-12 * square, 1e-300)))


def warn_if_far(X: Any) -> None:
    """Say to the caller of `fit` that X is to be centred; few rows do not tell.

    Steps of single rows hear of little but their mean: iris moved by a hundred of its spreads
    gives one class for all rows, in any precision.
    """
    if X.shape[0] < _ROWS_THAT_TELL_A_SPREAD:
        return
    away = spreads_from_zero(X)
    if away > _MOST_SPREADS_FROM_ZERO:
        warnings.warn(
            f"The mean of X is {away:.3g} times as long as its rows are spread: steps of single "
            "rows learn little else; centre or scale X first, with StandardScaler.",
            UserWarning,
            stacklevel=3,
        )


def largest_entry(X: Any) -> float:
    """Largest absolute value among the features."""
    values = X.data if issparse(X) else X
    return float(max(values.max(initial=0), -values.min(initial=0)))


# Entries beyond which squares leave the range of float32, with room for sums of them.
_LARGEST_IN_SINGLE = 1e15
# Spreads from zero at which float32 has taken a third of the digits of a column.
_SPREADS_IN_SINGLE = 300.0


def single_where_it_serves(X: Any) -> Any:
    """Rows in float32, or as they are where that would cost them what tells them apart.

    Inner products need squares in the range of float32, and a column far from zero leaves
    its spread few of the seven digits.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([[0.0, 1.0], [2.0, 3.0]])
    >>> [single_where_it_serves(X).dtype.name for X in (rows, rows + 1e6, 1e30 * rows)]
    ['float32', 'float64', 'float64']
    """
    largest = largest_entry(X)
    if not (largest == 0 or 1 / _LARGEST_IN_SINGLE < largest < _LARGEST_IN_SINGLE):
        return X
    if not issparse(X):
        offset = common_offset(X)
        spread = np.abs(X - offset).max(axis=0, initial=0.0)
        if np.any((spread > 0) & (np.abs(offset) > _SPREADS_IN_SINGLE * spread)):
            return X
    return X.astype(np.float32, copy=False)
