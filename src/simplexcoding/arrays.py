"""Names for the arrays that travel through the package, and the moves they all make."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
