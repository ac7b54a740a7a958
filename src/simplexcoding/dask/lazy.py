"""Predictions of Dask collections, which are computed when they are asked for."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from simplexcoding.arrays import is_dask
from simplexcoding.dask.threads import one_thread
from simplexcoding.fitted import of_host

Method = TypeVar("Method", bound=Callable[..., Any])


def lazy(method: Method) -> Method:
    """Make a method of X answer a Dask collection with one of its own, chunk by chunk."""

    @wraps(method)
    def answer(self: Any, X: Any) -> Any:
        return _later(self, method.__name__, X) if is_dask(X) else method(self, X)

    return cast(Method, answer)


def _later(model: Any, name: str, X: Any) -> Any:
    """What a method says of each chunk of rows, as a Dask array."""
    import dask.array as da
    from sklearn.utils.validation import check_is_fitted

    from dask import delayed

    check_is_fitted(model)
    classes = of_host(model).classes_
    if hasattr(X, "chunks") and len(X.chunks[1]) > 1:
        raise ValueError(
            f"X is cut into {len(X.chunks[1])} chunks along its columns; use X.rechunk({{1: -1}})."
        )
    if name == "predict":
        dtype: Any = classes.dtype
        columns: tuple[int, ...] = ()
    else:
        dtype = X.dtype if hasattr(X, "chunks") and X.dtype == np.float32 else np.dtype(float)
        folded = name == "decision_function" and len(classes) == 2
        columns = () if folded else (len(classes),)
    sizes = X.chunks[0] if hasattr(X, "chunks") else (np.nan,) * X.npartitions
    shared = delayed(model)
    blocks = [
        da.from_delayed(delayed(_answer)(shared, name, piece), (size, *columns), dtype)
        for piece, size in zip(np.ravel(X.to_delayed()), sizes, strict=True)
    ]
    return da.concatenate(blocks, axis=0, allow_unknown_chunksizes=True)


def _answer(model: Any, name: str, piece: Any) -> Any:
    with one_thread():
        return getattr(model, name)(piece)
