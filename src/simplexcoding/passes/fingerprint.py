"""What is fitted to what, in full: whether a fit that was killed may go on."""

import sys
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.blocks.block import Blocks, checked_block


def fingerprint(source: Blocks, params: Mapping[str, Any]) -> str:
    """A digest of parameters, version and data.

    Of the data it sees the names of the parts, the first block of the first and of the last
    part, and the size and time of files: no pass over all rows is spent on it.

    Parameters
    ----------
    source : Blocks, which can be read again
    params : dict, of the estimator

    Examples
    --------
    >>> import numpy as np
    >>> from simplexcoding.blocks import from_arrays
    >>> y = np.arange(4)
    >>> one, two = (fingerprint(from_arrays(X, y), {}) for X in (np.eye(4), 2 * np.eye(4)))
    >>> one == two
    False
    """
    ends = [source.parts[0], source.parts[-1]] if source.parts else []
    blocks = [tuple(checked_block(block, part.name)) for part in ends for block in islice(part, 1)]
    names = [part.name for part in source.parts]
    files = {file: _stamp(file) for part in source.parts for file in getattr(part, "files", ())}
    # The top package, which this layer does not import.
    version = sys.modules["simplexcoding"].__version__
    told = in_full([version, dict(params), source.n_rows, names, files, blocks])
    return sha256(told.encode()).hexdigest()


def in_full(value: Any) -> str:
    """A value as text that tells it from any other: `repr` abbreviates arrays.

    Examples
    --------
    >>> import numpy as np
    >>> one, two = np.zeros(5000), np.zeros(5000)
    >>> two[2500] = 1
    >>> repr(one) == repr(two), in_full(one) == in_full(two)
    (True, False)
    """
    if issparse(value):
        rows = value.tocsr()
        return in_full([value.shape, rows.data, rows.indices, rows.indptr])
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.dtype} {value.shape} {digest}"
    if isinstance(value, np.ndarray | list | tuple):
        return f"{type(value).__name__}[{', '.join(map(in_full, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{in_full(k)}: {in_full(v)}' for k, v in value.items())}}}"
    if isinstance(value, np.random.RandomState):
        return in_full(value.get_state(legacy=True))
    # The text of a function holds its place in memory, which another process does not share.
    name = getattr(value, "__qualname__", None)
    return repr(value) if name is None else f"{value.__module__}.{name}"


def _stamp(file: str) -> tuple[int, int]:
    found = Path(file).stat()
    return found.st_size, found.st_mtime_ns
