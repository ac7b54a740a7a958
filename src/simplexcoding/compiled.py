"""The decorator of compiled functions: Numba, with a cache on disk where there is room for one.

This module imports Numba, so modules with compiled functions are imported on first use.
"""

import gc
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numba
from numba.core import event


class _NoCollection(event.Listener):
    """Keep Python from looking for garbage while Numba compiles, and let it go on afterwards.

    Next to nothing of the many objects that a compilation makes is garbage before it ends, and
    to look for it among all that is imported takes a fifth of its time. Compilations call each
    other, one at a time in a process: Numba has a lock.
    """

    depth = 0
    was_enabled = False

    def on_start(self, event: Any) -> None:
        """A compilation begins."""
        if self.depth == 0:
            self.was_enabled = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        """A compilation ends, in whatever way."""
        self.depth -= 1
        if self.depth == 0 and self.was_enabled:
            gc.enable()


event.register("numba:compile", _NoCollection())  # type: ignore[no-untyped-call]  # Numba has no types


def compiled(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compile a function on its first call, free of the interpreter lock.

    What was compiled is kept beside the source or in the user's cache folder. Where neither
    can be written, as in a read-only installation run by a user without a home, it is
    compiled anew in each process.

    Parameters
    ----------
    function : callable, default=None
        None where options are given.
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
    return _cached_if_possible(partial(numba.njit, nogil=True, **options), function)


@cache
def row_function(function: Callable[..., float]) -> Any:
    """Compile the row step of a loss, for compiled code that takes it as an argument.

    It is handed on as an address, so one compilation of a pass over rows serves every loss.

    Parameters
    ----------
    function : function of (u, y, g) to float, see `Loss.row_step`

    Examples
    --------
    >>> import numpy as np
    >>> def half(u, y, g):
    ...     return u[y] / 2
    >>> @compiled
    ... def apply(step, u, y, g):
    ...     return step(u, y, g)
    >>> apply(row_function(half), np.array([1.0, 3.0]), 1, np.empty(2))
    1.5
    """
    vector = numba.float64[::1]
    signature = numba.float64(vector, numba.intp, vector)
    return _cached_if_possible(partial(numba.cfunc, signature), function)


def _cached_if_possible(compiler: Callable[..., Any], function: Callable[..., Any]) -> Any:
    try:
        return compiler(cache=True)(function)
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
        return compiler()(function)
