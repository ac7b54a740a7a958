"""Blocks of Dask arrays and data frames, one part for each chunk of rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import is_dask
from simplexcoding.blocks.block import Block, Blocks


def from_dask(X: Any, y: Any, weights: Any = None) -> Blocks:
    """Blocks of Dask collections. Nothing is computed until a part is read.

    Parameters
    ----------
    X : (n, p) Dask array in one chunk of columns, or Dask data frame
    y : (n,) Dask array or series, cut as X is
    weights : (n,) Dask array or series, default=None

    Returns
    -------
    Blocks
    """
    named = {"X": X, "y": y} | ({} if weights is None else {"weights": weights})
    for what, values in named.items():
        if not is_dask(values):
            raise TypeError(
                f"{what} must be a Dask collection as X is, got {type(values).__name__}; "
                f"use dask.array.from_array."
            )
    names = tuple(str(c) for c in X.columns) if hasattr(X, "columns") else None
    if names is None and X.ndim != 2:
        raise ValueError(f"X must be two-dimensional, got {X.ndim} dimensions.")
    if names is None and len(X.chunks[1]) > 1:
        raise ValueError(
            f"X is cut into {len(X.chunks[1])} chunks along its columns; use X.rechunk({{1: -1}})."
        )
    sizes = {what: _row_chunks(what, values) for what, values in named.items()}
    for what, cut in sizes.items():
        own = sizes["X"]
        if len(cut) != len(own) or (None not in cut and None not in own and cut != own):
            raise ValueError(
                f"X and {what} are cut differently, into {len(own)} and {len(cut)} chunks of "
                f"{_told(own)} and {_told(cut)} rows; use {what}.rechunk or repartition."
            )
    n_rows = None if None in sizes["X"] else int(sum(size or 0 for size in sizes["X"]))
    if n_rows == 0:
        raise ValueError("X has no rows.")
    columns = [np.ravel(values.to_delayed()) for values in named.values()]
    parts = [
        DaskPart(tuple(pieces), f"block {number}")
        for number, pieces in enumerate(zip(*columns, strict=True))
    ]
    return Blocks(parts, names, n_rows=n_rows, n_features=int(X.shape[1]), on_dask=True)


@dataclass(frozen=True)
class DaskPart:
    """One chunk of rows, as delayed values of X, y and perhaps weights.

    Parameters
    ----------
    pieces : tuple of delayed values
    name : str
    """

    pieces: tuple[Any, ...]
    name: str

    def __iter__(self) -> Iterator[Block]:
        import dask

        # Read alone it runs where it stands; `simplexcoding.dask` hands the pieces to workers.
        yield block_of(dask.compute(*self.pieces, scheduler="synchronous"))


def block_of(values: Any) -> Block:
    """A block of computed pieces."""
    return Block(*(v if issparse(v) else np.asarray(v) for v in values))


def _row_chunks(what: str, values: Any) -> tuple[int | None, ...]:
    """Rows of each chunk; None where a data frame does not know."""
    if not hasattr(values, "chunks"):
        return (None,) * int(values.npartitions)
    sizes = values.chunks[0]
    if any(size != size for size in sizes):
        raise ValueError(
            f"{what} has chunks of unknown size; use {what}.compute_chunk_sizes() first."
        )
    return tuple(int(size) for size in sizes)


def _told(cut: tuple[int | None, ...]) -> str:
    return "unknown" if None in cut else ", ".join(map(str, cut[:3])) + ("..." if cut[3:] else "")
