"""One thread of linear algebra for each task: workers are what runs in parallel."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from threadpoolctl import threadpool_limits

from simplexcoding.threads import in_one

_lock = Lock()
_inside = 0
_limits: Any = None


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS and compiled code to one thread while any task of this process is inside.

    Limits are of the whole process, so the first task in sets them and the last one out
    restores what was there. One thread also keeps the bits: products cut among threads
    round differently.
    """
    global _inside, _limits
    with _lock:
        if _inside == 0:
            _limits = threadpool_limits(1).__enter__()
        _inside += 1
    try:
        with in_one():
            yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limits.__exit__(None, None, None)
