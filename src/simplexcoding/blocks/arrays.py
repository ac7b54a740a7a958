"""Blocks of arrays: in memory, mapped from a file, sparse, or anything that can be sliced."""

import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import slices
from simplexcoding.blocks.block import Block, Blocks, rows_for


def from_arrays(X: Any, y: Any, weights: Any = None, rows: int | None = None) -> Blocks:
    """Blocks of rows that lie in arrays.

    Nothing is copied but the block at hand, so a memmap (or a zarr or HDF5 array) is read as
    it is needed. A part of a memmap, or of rows of one, is pickled as the name of its file, of
    other arrays with its rows.

    Parameters
    ----------
    X : (n, p) array, memmap, sparse matrix, frame, or any object with `shape` and slices
    y : (n,) array of labels
    weights : (n,) array, default=None
        Of the rows; None counts each once.
    rows : int, default=None
        Rows of a block; None takes about four million values.

    Returns
    -------
    Blocks

    Examples
    --------
    >>> import numpy as np
    >>> source = from_arrays(np.eye(5), np.arange(5), rows=2)
    >>> [len(block.y) for block in source], [len(block.y) for block in source]
    ([2, 2, 1], [2, 2, 1])
    """
    names = None
    if hasattr(X, "columns") and hasattr(X, "iloc"):
        names = tuple(str(column) for column in X.columns)
    X, y = _sliceable(X), _sliceable(y)
    weights = None if weights is None else _sliceable(weights)
    if len(X.shape) != 2:
        raise ValueError(f"X must be two-dimensional, got shape {tuple(X.shape)}.")
    n_rows, n_features = X.shape
    for what, values in (("y", y), ("weights", weights)):
        if values is not None and values.shape[0] != n_rows:
            raise ValueError(
                f"X and {what} must be of one length, got {n_rows} and {values.shape[0]} rows."
            )
    if rows is not None and (rows != int(rows) or rows < 1):
        raise ValueError(f"rows must be a positive integer or None, got {rows!r}.")
    # Sparse rows are as wide as their non-zeros.
    width = X.nnz // max(n_rows, 1) if issparse(X) else n_features
    size = rows_for(width) if rows is None else int(rows)
    parts = [
        ArrayPart(
            _Run(X, run.start, run.stop),
            _Run(y, run.start, run.stop),
            None if weights is None else _Run(weights, run.start, run.stop),
            f"rows {run.start}..{run.stop - 1}",
        )
        for run in slices(n_rows, size)
    ]
    return Blocks(parts, names, n_rows=n_rows, n_features=n_features, row_values=width)


@dataclass(frozen=True)
class ArrayPart:
    """One block: a run of rows of arrays."""

    X: "_Run"
    y: "_Run"
    weight: "_Run | None"
    name: str

    @property
    def files(self) -> list[str]:
        """Paths of the files that its rows lie in."""
        runs = [run for run in (self.X, self.y, self.weight) if run is not None]
        return [run.file.path for run in runs if run.file is not None]

    def __iter__(self) -> Iterator[Block]:
        weight = None if self.weight is None else self.weight.read()
        yield Block(self.X.read(), self.y.read(), weight)


@dataclass(frozen=True)
class _Run:
    """Rows start to stop of an array; pickled as a file's name or as the rows alone."""

    array: Any
    start: int
    stop: int

    @property
    def file(self) -> "_File | None":
        """Where a memmap lies; None of other arrays."""
        if isinstance(self.array, _File):
            return self.array
        return _File.of(self.array) if _is_mapped(self.array) else None

    def read(self) -> Any:
        array, file = self.array, self.file
        if file is not None:
            # Through a mapping of its own, which goes with the block: pages that were read count
            # as memory while mapped.
            return np.asarray(file.open()[self.start : self.stop])
        if hasattr(array, "iloc"):
            return array.iloc[self.start : self.stop].to_numpy()
        rows = array[self.start : self.stop]
        return rows if issparse(rows) else np.asarray(rows)

    def __reduce__(self) -> Any:
        if self.file is not None:
            return _Run, (self.file, self.start, self.stop)
        return _Run, (self.read(), 0, self.stop - self.start)


@dataclass(frozen=True)
class _File:
    """Where a memmap lies."""

    path: str
    dtype: Any
    shape: tuple[int, ...]
    offset: int
    order: Any

    @classmethod
    def of(cls, array: Any) -> "_File":
        order = "C" if array.flags.c_contiguous else "F"
        root = _mapping(array)
        # A slice has the offset of what it was cut from.
        begin = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        return cls(str(array.filename), array.dtype, array.shape, root.offset + begin, order)

    def open(self) -> Any:
        # Private pages: a block is an array that may be written to, its file is not.
        return np.memmap(
            self.path, dtype=self.dtype, mode="c", offset=self.offset, shape=self.shape,
            order=self.order,
        )  # fmt: skip


def _is_mapped(array: Any) -> bool:
    """Whether an array is a run of a file: a memmap, or rows of one that lie together."""
    return (
        isinstance(array, np.memmap)
        and array.size > 0
        and (array.flags.c_contiguous or array.flags.f_contiguous)
        and array.filename is not None
        # What was written to private pages is not in the file.
        and array.mode != "c"
        and _mapping(array) is not None
    )


def _mapping(array: Any) -> Any:
    """The memmap of a file that an array is cut from, or None."""
    while isinstance(array, np.memmap):
        if isinstance(array.base, mmap.mmap):
            return array
        array = array.base
    return None


def _sliceable(values: Any) -> Any:
    if issparse(values):
        return values.tocsr()
    if hasattr(values, "shape") and (hasattr(values, "__getitem__") or hasattr(values, "iloc")):
        return values
    return np.asarray(values)
