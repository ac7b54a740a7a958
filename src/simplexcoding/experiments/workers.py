"""Worker processes that end with the process that started them, however that ends."""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from typing import Any

from threadpoolctl import threadpool_limits


def outcomes(
    function: Callable[[Any], Any], items: Iterable[Any], jobs: int
) -> Generator[Any, None, None]:
    """Results of function(item) as they come, `jobs` at a time.

    Closing the generator, an error and an interruption inside it stop the workers at once:
    use it under `contextlib.closing`.

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
        # A worker whose start is cut short would complain on its own.
        with _signals_later():
            tasks = [pool.submit(function, item) for item in items]
        for done in as_completed(tasks):
            yield done.result()
        pool.shutdown()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - before:
            worker.kill()
            worker.join()
        # The pool's own thread ends with its workers; at exit it would be woken while it ends.
        pool.shutdown()


@contextmanager
def _signals_later() -> Iterator[None]:
    """Hold back requests to stop until the block has ended."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, lambda got, _: held.append(got)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for got in held:
            signal.raise_signal(got)


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
