"""Euclidean projection on the probability simplex, compiled.

This module imports Numba, so others import it on first use.
"""

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.compiled import compiled


# Sums may be taken in any order: that lets them run in vector registers.
@compiled(fastmath={"reassoc", "contract"})
def project_on_simplex(rows: Floats, total: float = 1.0) -> Floats:
    """Nearest point of {v : v >= 0, sum v = total} to each row.

    The answer is max(v - theta, 0) with one theta per row. Newton's steps from below never
    pass it and are exact once the entries above theta stay the same: at most T steps, a
    few in practice, O(T) each and no sort (Michelot, 1986). The order of the entries is
    kept, so the argmax is too.

    Parameters
    ----------
    rows : (n, T) array
    total : float, default=1.0

    Returns
    -------
    (n, T) array of the dtype of rows

    Examples
    --------
    >>> import numpy as np
    >>> project_on_simplex(np.array([[0.75, 0.75, -3.0]]))
    array([[0.5, 0.5, 0. ]])
    """
    n, n_classes = rows.shape
    projected = np.empty_like(rows)
    for i in range(n):
        # Measured from the largest entry, so that scores of 1e8 cost no digits of theta.
        largest = float(rows[i].max())
        theta, kept = -total, 0
        while True:
            above, count = 0.0, 0
            for k in range(n_classes):
                v = rows[i, k] - largest
                above += max(v - theta, 0.0)
                count += v > theta
            if count == kept:
                break
            kept = count
            theta += (above - total) / count
        for k in range(n_classes):
            projected[i, k] = max(rows[i, k] - largest - theta, 0.0)
    return projected
