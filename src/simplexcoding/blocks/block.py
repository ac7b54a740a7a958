"""A block of rows, the parts that blocks are read from, and the sources that parts make up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import Floats
from simplexcoding.rows import LARGEST_WEIGHT

# Values in a block: it takes tens of megabytes, and its products stay in cache.
_BLOCK_VALUES = 2**22
_FEWEST_ROWS = 256
_MOST_ROWS = 2**16


class Block(NamedTuple):
    """Some rows.

    Parameters
    ----------
    X : (b, p) array or CSR matrix of features
    y : (b,) array of labels
    weight : (b,) array of weights, default=None
        None is one for every row.
    """

    X: Any
    y: Any
    weight: Floats | None = None


class Part(Protocol):
    """A piece of a source that can be read on its own, on another machine too.

    It can be pickled, iterated again and again, and gives the same blocks every time.
    """

    @property
    def name(self) -> str:
        """What errors call it."""
        ...

    def __iter__(self) -> Iterator[Block]: ...


@dataclass(frozen=True)
class Blocks:
    """A source of blocks: parts in a fixed order, each of some blocks.

    Parameters
    ----------
    parts : sequence of Part
    feature_names : tuple of str, default=None
        None where the columns have no names.
    once : bool, default=False
        Whether it can be read only once.
    n_rows, n_features : int, default=None
        None where they are not known before reading.
    row_values : int, default=None
        Numbers that a row holds on average: its features, of sparse rows those not zero.
    on_dask : bool, default=False
        Whether passes over it run on the current Dask scheduler.
    """

    parts: Sequence[Part]
    feature_names: tuple[str, ...] | None = None
    once: bool = False
    n_rows: int | None = None
    n_features: int | None = None
    row_values: int | None = None
    on_dask: bool = False

    def __iter__(self) -> Iterator[Block]:
        for part in self.parts:
            yield from part


def rows_for(n_features: int) -> int:
    """Rows of a block of so many features.

    Examples
    --------
    >>> rows_for(512)
    8192
    """
    return int(np.clip(_BLOCK_VALUES // max(n_features, 1), _FEWEST_ROWS, _MOST_ROWS))


def cut(block: Block, width: int = 0) -> Iterator[Block]:
    """Runs of about equal length of a block's rows, few enough for what is made of each row.

    Parameters
    ----------
    block : Block, checked
    width : int, default=0
        Numbers that are made of a row, where they may be more than it holds.

    Examples
    --------
    >>> block = Block(np.zeros((9000, 2)), np.zeros(9000))
    >>> [len(part.y) for part in cut(block)], [len(part.y) for part in cut(block, 1000)]
    ([9000], [3000, 3000, 3000])
    """
    X, y, weight = block
    n_rows = len(y)
    held = X.nnz // max(n_rows, 1) if issparse(X) else X.shape[1]
    number = max(-(-n_rows // rows_for(max(held, width))), 1)
    if number == 1:
        yield block
        return
    for k in range(number):
        rows = slice(k * n_rows // number, (k + 1) * n_rows // number)
        yield Block(X[rows], y[rows], None if weight is None else weight[rows])


def checked_block(block: Block, name: str) -> Block:
    """The block as float32 or float64 rows and arrays of one length; errors name the block."""
    X, y, weight = block
    X = X.tocsr() if issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"{name}: X must be two-dimensional, got shape {X.shape}.")
    if X.dtype not in (np.float32, np.float64):
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}: X must hold numbers, got {X.dtype} ({error}).") from None
    y = np.asarray(y)
    y = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
    if y.shape != (X.shape[0],):
        raise ValueError(
            f"{name}: y must hold one label for each of the {X.shape[0]} rows, got shape {y.shape}."
        )
    if not np.isfinite(X.data if issparse(X) else X).all():
        raise ValueError(f"{name}: X holds NaN or infinity; remove or fill those rows.")
    if _has_missing(y):
        raise ValueError(f"{name}: y holds missing labels; remove those rows.")
    return Block(X, y, None if weight is None else _checked_weight(weight, len(y), name))


def _checked_weight(weight: Any, n_rows: int, name: str) -> Floats:
    weight = np.asarray(weight, dtype=np.float64)
    if weight.shape != (n_rows,):
        raise ValueError(
            f"{name}: weight must hold one number for each of the {n_rows} rows, "
            f"got shape {weight.shape}."
        )
    if not np.isfinite(weight).all() or np.any(weight < 0):
        raise ValueError(f"{name}: weight must be finite and not negative; remove those rows.")
    if weight.max(initial=0) > LARGEST_WEIGHT:
        raise ValueError(
            f"{name}: weight must be at most {LARGEST_WEIGHT:g}, got {weight.max():g}; "
            "divide all weights by the largest."
        )
    return weight


def _has_missing(y: Any) -> bool:
    if y.dtype.kind == "f":
        return bool(np.isnan(y).any())
    # None, NaN and pandas' NA: none of them equals itself truly.
    return y.dtype == object and any(
        value is None or not isinstance(value == value, bool | np.bool_) or value != value
        for value in y
    )
