"""One pass over a source as Dask tasks, on the scheduler that is current."""

from collections.abc import Sequence
from itertools import count
from typing import Any
from uuid import uuid4

from simplexcoding.blocks.block import Blocks, Part
from simplexcoding.blocks.collections import DaskPart, block_of
from simplexcoding.dask.failing import named
from simplexcoding.dask.scheduler import compute, current_client
from simplexcoding.dask.threads import one_thread
from simplexcoding.passes.fold import Leaf, added, fold_blocks, fold_part, tree


def fold_on_dask(source: Blocks, leaf: Leaf, stage: str = "pass") -> Any:
    """One pass on the current scheduler: threads, processes or a cluster.

    Every part is read and folded by one task where its rows are; only sums travel. The tree
    of sums is fixed by the numbers of the parts, and tasks are pure: a worker that is lost is
    made good by others, and the sum has the same bits however many there are.

    Parameters
    ----------
    source : Blocks
    leaf : function of a block and its name, gives a state that adds
    stage : str, default="pass"
        Names the tasks.

    Returns
    -------
    The sum of the states
    """
    from dask import delayed

    run = f"{stage}-{uuid4().hex[:8]}"
    numbers = count()

    def total(states: Sequence[Any]) -> Any:
        def added_later(group: list[Any]) -> Any:
            return delayed(_added)(group, dask_key_name=f"{run}-sum-{next(numbers)}")

        return tree(states, added_later)

    # Tasks go where their leaf is: a copy for each worker, and neighbours, which add, share one.
    copies = _number_of_workers()
    leaves = [delayed(leaf, name=f"leaf-{run}-{k}", pure=True) for k in range(copies)]
    states = [
        _state(part, leaves[n * copies // len(source.parts)], f"{run}-part-{n}")
        for n, part in enumerate(source.parts)
    ]
    try:
        found = compute(total(states))
    except Exception as error:
        names = [part.name for part in source.parts]
        raise named(error, names, states, total) from error
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
