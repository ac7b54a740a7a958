"""Blocks from anything that gives batches: a PyTorch DataLoader, a list, a class of one's own."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import is_dask
from simplexcoding.blocks.block import Block, Blocks


def from_loader(loader: Iterable[Any], passes: int | None = None) -> Blocks:
    """Blocks from an object whose iteration gives batches (X, y) or (X, y, weight).

    Tensors on any device become arrays. A shuffling loader is fine: the order of the rows
    does not matter, only that each reading gives the same ones.

    Parameters
    ----------
    loader : re-iterable of tuples
    passes : int, default=None
        1 accepts a generator, which can be read only once.

    Returns
    -------
    Blocks

    Examples
    --------
    >>> import numpy as np
    >>> batches = [(np.eye(2), [0, 1]), (np.eye(2), [1, 2])]
    >>> sum(len(block.y) for block in from_loader(batches))
    4
    """
    if isinstance(loader, Blocks):
        return loader
    if is_dask(loader):
        raise TypeError("blocks is a Dask collection without labels; use from_dask(X, y).")
    if not hasattr(loader, "__iter__"):
        raise TypeError(f"blocks must be an iterable of (X, y) batches, got {loader!r}.")
    once = iter(loader) is loader
    if once and passes != 1:
        raise ValueError(
            f"blocks is a {type(loader).__name__}, which can be read only once; give a list, a "
            "DataLoader or an object whose __iter__ starts anew, or passes=1 for a score of a "
            "sample."
        )
    return Blocks([LoaderPart(loader)], once=once)


@dataclass(frozen=True)
class LoaderPart:
    """All the batches of a loader.

    Parameters
    ----------
    loader : iterable of batches
    name : str, default="loader"
    """

    loader: Any
    name: str = "loader"

    def __iter__(self) -> Iterator[Block]:
        for number, batch in enumerate(self.loader):
            if not isinstance(batch, tuple | list) or len(batch) not in (2, 3):
                raise ValueError(
                    f"batch {number} of the loader must be (X, y) or (X, y, weight), "
                    f"got {type(batch).__name__}."
                )
            yield Block(*(_array(values) for values in batch))


def _array(values: Any) -> Any:
    """Tensors as arrays, wherever they live."""
    for move in ("detach", "cpu"):
        values = getattr(values, move)() if hasattr(values, move) else values
    return values if values is None or issparse(values) else np.asarray(values)
