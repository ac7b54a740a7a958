"""Worker processes that end with the process that started them, however that ends."""

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

from threadpoolctl import threadpool_limits


def outcomes(function: Callable[[Any], Any], items: Iterable[Any], jobs: int) -> Iterator[Any]:
    """Results of function(item) as they come, `jobs` at a time.

    Closing the generator, an error and an interruption stop the workers at once.

    Parameters
    ----------
    function : of a module, so that workers find it by its name
    items : iterable
    jobs : int, at least 1

    Yields
    ------
    results, in the order in which they end

    Examples
    --------
    >>> list(outcomes(abs, [-3], 1))
    [3]
    """
    before = set(active_children())
    threads = max(1, (os.cpu_count() or 1) // jobs)
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_prepare, initargs=(threads,)
    )
    try:
        for done in as_completed([pool.submit(function, item) for item in items]):
            yield done.result()
        pool.shutdown()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - before:
            worker.kill()
            worker.join()


def _prepare(threads: int) -> None:
    """In a worker: Ctrl-C is for the parent, whose end is watched; threads are shared out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    threadpool_limits(threads)


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
