"""The Dask scheduler that is current: what it computes, and when it is given up."""

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any

from simplexcoding.dask.threads import one_thread

# The C library's own limits. Dask's nannies make workers give freed memory back at once, and
# blocks are then paged in anew each time. The last one is Dask's own setting, replaced by these.
KEEP_MEMORY = {
    "MALLOC_TRIM_THRESHOLD_": 2**26,
    "MALLOC_MMAP_THRESHOLD_": 2**25,
    "OMP_NUM_THREADS": 1,
}
# How often a task that fails is tried again, where the scheduler can.
_RETRIES = 2
# Seconds without any worker after which a cluster counts as gone.
PATIENCE = 60.0
_PAUSE = 1.0


class NoWorkersError(RuntimeError):
    """A cluster has lost all its workers, and none has come."""


def compute(value: Any) -> Any:
    """The value of a Dask object, by the scheduler that is current.

    On a cluster a task that fails is tried again, and where no worker is left for a minute
    an error says so: there is no waiting for ever.
    """
    client = current_client()
    if client is None:
        with one_thread():
            return value.compute()
    future = client.compute(value, retries=_RETRIES)
    try:
        for done in finished(client, [future]):
            return done.result()
    finally:
        future.cancel()


def finished(client: Any, futures: Iterable[Any]) -> Iterator[Any]:
    """Futures of a cluster as they end, well or not; an error where no worker is left."""
    from distributed import TimeoutError, wait

    left, seen = set(futures), monotonic()
    while left:
        if client.nthreads():
            seen = monotonic()
        elif monotonic() - seen > PATIENCE:
            raise NoWorkersError(
                f"the Dask cluster has had no workers for {PATIENCE:.0f} seconds; start some."
            )
        try:
            done = wait(left, timeout=_PAUSE, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            continue
        left -= done
        yield from done


def current_client() -> Any:
    """The client of a cluster that is current, or None."""
    import sys

    if "distributed" not in sys.modules:
        return None
    from dask.base import get_scheduler
    from distributed import get_client

    # A scheduler that was set by hand, such as "threads", comes before a client.
    chosen = get_scheduler()
    if chosen is not None and "Client" not in getattr(chosen, "__qualname__", ""):
        return None
    try:
        return get_client()
    except ValueError:
        return None
