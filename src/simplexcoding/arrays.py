"""Names for the arrays that travel through the package, and the moves they all make."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

# Written as float64 for the type checker; float32 in gives float32 out everywhere.
Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]
Bools: TypeAlias = NDArray[np.bool_]


def centred(rows: Floats) -> Floats:
    """Rows less their means: the projection on rows that sum to zero.

    Examples
    --------
    >>> import numpy as np
    >>> centred(np.array([[1.0, 2.0, 6.0]]))
    array([[-2., -1.,  3.]])
    """
    return rows - rows.mean(axis=1, keepdims=True)


# Entries in a block of rows, which stays in cache.
_BLOCK = 1 << 16


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Runs of rows that stay in cache while they are worked on.

    Examples
    --------
    >>> list(row_blocks(3, 1 << 15))
    [slice(0, 2, None), slice(2, 3, None)]
    """
    step = max(_BLOCK // n_columns, 1)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def common_offset(X: Any) -> Floats:
    """What rows may be moved by so that products do not spend their digits on it, (p,).

    The mean of each column, in float64. Of a sparse matrix only columns without zeros have
    one: it stays as sparse as it was, and a column with zeros cannot be far from zero.
    """
    if not issparse(X):
        return np.asarray(X.mean(axis=0, dtype=np.float64))
    full = np.bincount(X.indices, minlength=X.shape[1]) == X.shape[0]
    means = np.bincount(X.indices, X.data, minlength=X.shape[1]) / max(X.shape[0], 1)
    return np.where(full, means, 0.0)


def moved(X: Any, offset: Floats) -> Any:
    """Rows less an offset, in their own dtype; of a sparse matrix the entries that it holds."""
    if not issparse(X):
        return X - offset.astype(X.dtype)
    X = X.tocsr().copy()
    X.data = (X.data - offset[X.indices]).astype(X.dtype, copy=False)
    return X
