"""Names for the arrays that travel through the package, and the one move they all make."""

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
