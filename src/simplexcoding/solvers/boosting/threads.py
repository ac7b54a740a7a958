"""Numba's threads, one Python thread at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_TAKEN = Lock()


@contextmanager
def with_threads(wanted: bool = True) -> Iterator[bool]:
    """Whether compiled code may start threads of its own in this block.

    Not all of Numba's thread pools may be entered by two Python threads at once: the first one
    has them, another works alone, with the same result.

    Examples
    --------
    >>> with with_threads() as first, with_threads() as second:
    ...     print(first, second)
    True False
    """
    mine = wanted and _TAKEN.acquire(blocking=False)
    try:
        yield mine
    finally:
        if mine:
            _TAKEN.release()
