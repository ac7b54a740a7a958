"""Class indices from labels as sources spell them."""

from typing import Any

import numpy as np

from simplexcoding.arrays import Indices


def numbered(labels: Any) -> Indices:
    """Place of each label among the distinct ones, numbers in the order of numbers.

    Examples
    --------
    >>> numbered(["10", "'9'", "10"])
    array([1, 0, 1])
    >>> numbered([b"B", "A"])
    array([1, 0])
    """
    words = [_word(label) for label in labels]
    try:
        keys: Any = np.array([float(word) for word in words])
    except ValueError:
        keys = np.array(words)
    return np.unique(keys, return_inverse=True)[1].astype(np.intp, copy=False)


def _word(label: Any) -> str:
    text = label.decode() if isinstance(label, bytes) else str(label)
    return text.strip().strip("'\"")
