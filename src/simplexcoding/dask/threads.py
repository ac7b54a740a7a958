"""One thread of linear algebra for each task: workers are what runs in parallel."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController

from simplexcoding.threads import in_one

_lock = Lock()
_inside = 0
_limits: Any = None
_known: tuple[int, Any] = (0, None)


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
            _limits = _libraries().limit(limits=1).__enter__()
        _inside += 1
    try:
        with in_one():
            yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limits.__exit__(None, None, None)


def _libraries() -> Any:
    """Those that are loaded: looking for them takes milliseconds, an import may bring others."""
    global _known
    if _known[0] != len(sys.modules):
        # Counted first: the search itself may import.
        _known = (len(sys.modules), ThreadpoolController())
    return _known[1]
