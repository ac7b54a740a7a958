"""The decorator of compiled functions: Numba, with a cache on disk where there is room for one.

This module imports Numba, so modules with compiled functions are imported on first use.
"""

from collections.abc import Callable
from typing import Any

import numba


def compiled(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function on its first call, free of the interpreter lock.

    What was compiled is kept beside the source or in the user's cache folder. Where neither
    can be written, as in a read-only installation run by a user without a home, it is
    compiled anew in each process.

    Parameters
    ----------
    function : function, or None where options are given
    **options
        For `numba.njit`, such as `fastmath`.

    Examples
    --------
    >>> @compiled
    ... def double(x):
    ...     return 2 * x
    >>> double(3.0)
    6.0
    """
    if function is None:
        return lambda function: compiled(function, **options)
    try:
        return numba.njit(cache=True, nogil=True, **options)(function)
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
        return numba.njit(nogil=True, **options)(function)
