"""One pass over a source as Dask tasks, on the scheduler that is current."""

from itertools import count
from time import monotonic
from typing import Any
from uuid import uuid4

from simplexcoding.blocks.block import Blocks, Part
from simplexcoding.blocks.collections import DaskPart, block_of
from simplexcoding.dask.threads import one_thread
from simplexcoding.passes.fold import Leaf, added, fold_blocks, fold_part, tree

# How often a task that fails is tried again, where the scheduler can.
_RETRIES = 2
# Seconds without any worker after which a cluster counts as gone.
PATIENCE = 60.0
_PAUSE = 1.0


class NoWorkersError(RuntimeError):
    """A cluster has lost all its workers, and none has come."""


def fold_on_dask(source: Blocks, leaf: Leaf, stage: str = "pass") -> Any:
    """One pass on the current scheduler: threads, processes or a cluster.

    Every part is read and folded by one task where its rows are; only sums travel. The tree
    of sums is fixed by the numbers of the parts, and tasks are pure: a worker that is lost is
    made good by others, and the sum has the same bits however many there are.

    Parameters
    ----------
    source : Blocks
    leaf : function of a block and its name, gives a state that adds
    stage : str, which names the tasks

    Returns
    -------
    The sum of the states
    """
    from dask import delayed

    run = f"{stage}-{uuid4().hex[:8]}"
    # Tasks go where their leaf is: a copy for each worker, and neighbours, which add, share one.
    copies = _number_of_workers()
    leaves = [delayed(leaf, name=f"leaf-{run}-{k}", pure=True) for k in range(copies)]
    states = [
        _state(part, leaves[n * copies // len(source.parts)], f"{run}-part-{n}")
        for n, part in enumerate(source.parts)
    ]
    numbers = count()
    total = tree(
        states, lambda group: delayed(_added)(group, dask_key_name=f"{run}-sum-{next(numbers)}")
    )
    try:
        found = compute(total)
    except Exception as error:
        raise _named(error, source, states) from error
    if found is None:
        raise ValueError("blocks gave no rows.")
    return found


def _number_of_workers() -> int:
    client = current_client()
    return 1 if client is None else max(len(client.nthreads()), 1)


def _state(part: Part, leaf: Any, key: str) -> Any:
    """The state of one part, to be computed."""
    from dask import delayed

    if isinstance(part, DaskPart):
        return delayed(_fold_pieces)(leaf, part.name, *part.pieces, dask_key_name=key)
    return delayed(_fold_part)(part, leaf, dask_key_name=key)


def _fold_part(part: Part, leaf: Leaf) -> Any:
    with one_thread():
        return fold_part(part, leaf)


def _fold_pieces(leaf: Leaf, name: str, *pieces: Any) -> Any:
    with one_thread():
        return fold_blocks([block_of(pieces)], name, leaf)


def _added(states: list[Any]) -> Any:
    with one_thread():
        return added(states)


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
    seen = monotonic()
    try:
        while not future.done():
            if client.nthreads():
                seen = monotonic()
            elif monotonic() - seen > PATIENCE:
                raise NoWorkersError(
                    f"the Dask cluster has had no workers for {PATIENCE:.0f} seconds; start some."
                )
            _wait(future)
        return future.result()
    finally:
        future.cancel()


def _wait(future: Any) -> None:
    from distributed import TimeoutError, wait

    try:
        wait(future, timeout=_PAUSE)
    except TimeoutError:
        return


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


def _named(error: Exception, source: Blocks, states: list[Any]) -> Exception:
    """The error with the name of the part that fails; our own errors have it already."""
    names = ("blocks", *(part.name for part in source.parts))
    if isinstance(error, NoWorkersError):
        return error
    if isinstance(error, ValueError) and str(error).startswith(names):
        return error
    for part, state in zip(source.parts, states, strict=True):
        try:
            compute(state)
        except Exception as again:
            return RuntimeError(f"{part.name} could not be read: {again}")
    return error
