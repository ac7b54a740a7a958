"""Euclidean projection on the probability simplex."""

import numpy as np

from simplexcoding.arrays import Floats


def project_on_simplex(rows: Floats, total: float = 1.0) -> Floats:
    """Nearest point of {v : v >= 0, sum v = total} to each row.

    The answer is max(v - theta, 0) with one theta a row, found by sorting:
    O(T log T) a row. The order of the entries is kept, so the argmax is too.

    Parameters
    ----------
    rows : (n, T) array
    total : float, default=1.0

    Returns
    -------
    (n, T) array

    Examples
    --------
    >>> import numpy as np
    >>> project_on_simplex(np.array([[0.75, 0.75, -3.0]]))
    array([[0.5, 0.5, 0. ]])
    """
    n_classes = rows.shape[1]
    # Measured from the largest entry, so that scores of 1e8 cost no digits of theta.
    rows = rows - rows.max(axis=1, keepdims=True)
    falling = np.sort(rows, axis=1)[:, ::-1]
    theta = np.cumsum(falling, axis=1)
    theta -= total
    theta /= np.arange(1, n_classes + 1, dtype=rows.dtype)
    # Entry k is in the support exactly when it exceeds the theta of the first k entries,
    # and these are the first entries of a row.
    n_support = np.count_nonzero(falling > theta, axis=1)
    chosen = np.take_along_axis(theta, n_support[:, None] - 1, axis=1)
    projected = np.subtract(rows, chosen, out=rows)
    return np.maximum(projected, 0.0, out=projected)
