"""The simplex code by the recursion of the paper: slow and obvious."""

import numpy as np


def recursive_code(n_classes):
    """C of shape (T, T-1): the first vertex is e_1, the rest is a smaller code moved back."""
    code = np.array([[1.0], [-1.0]])
    for dim in range(2, n_classes):
        top = np.eye(1, dim)
        below = np.hstack([np.full((dim, 1), -1 / dim), code * np.sqrt(1 - 1 / dim**2)])
        code = np.vstack([top, below])
    return code
