"""Work in parts, a thread each."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from threading import local

_here = local()


def in_parts(task: Callable[[int, int], object], size: int, threads: bool = True) -> None:
    """Call task(first, last) for parts of range(size) that cover it, in as many threads as Numba's.

    The task is compiled code free of the interpreter lock, which comes to the same whatever
    the parts are. `in_one` holds it to one thread. Threads that start in Python need no kernel of
    Numba's own, which takes seconds to compile.

    Examples
    --------
    >>> seen = []
    >>> in_parts(lambda first, last: seen.extend(range(first, last)), 10)
    >>> sorted(seen) == list(range(10))
    True
    """
    count = min(threads_for(threads), size)
    if count <= 1:
        task(0, size)
        return
    ends = [size * part // count for part in range(count + 1)]
    pool = _pool(os.getpid(), count)
    others = [pool.submit(task, *ends[part : part + 2]) for part in range(1, count)]
    try:
        task(ends[0], ends[1])
    finally:
        for other in others:
            other.result()


@contextmanager
def in_one() -> Iterator[None]:
    """Hold what this thread does to one part: something else runs in parallel.

    Examples
    --------
    >>> seen = []
    >>> with in_one():
    ...     in_parts(lambda first, last: seen.append((first, last)), 10)
    >>> seen
    [(0, 10)]
    """
    before = getattr(_here, "in_one", False)
    _here.in_one = True
    try:
        yield
    finally:
        _here.in_one = before


def threads_for(threads: bool) -> int:
    """Count the parts that work is cut into where several threads may share it."""
    return _wanted() if threads else 1


def _wanted() -> int:
    if getattr(_here, "in_one", False):
        return 1
    import numba

    return int(numba.get_num_threads())


@cache
def _pool(process: int, count: int) -> ThreadPoolExecutor:
    """Threads of this process: those of a parent do not live on in its child."""
    return ThreadPoolExecutor(count - 1, thread_name_prefix="simplexcoding")
