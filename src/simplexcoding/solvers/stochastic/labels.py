"""A stream whose labels may grow."""

from itertools import pairwise
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices, are_words
from simplexcoding.rows import Rows
from simplexcoding.solvers.stochastic.learning import Descent, advance_over
from simplexcoding.solvers.stochastic.stream import Stream


def with_classes(stream: Stream, classes: Any, new: Any) -> tuple[Stream, Any]:
    """Add the labels of `new` that are not in `classes`, keeping these sorted."""
    for label in np.setdiff1d(new, classes):
        every = np.union1d(classes, [label])
        if stream.n_classes < len(every):
            stream = stream.widen(int(np.searchsorted(every, label)))
        classes = every
    return stream, classes


def named(classes: Any) -> Any:
    """The labels of a list that a caller gives, sorted."""
    found = np.asarray(classes)
    if found.ndim != 1 or not len(found) or (found.dtype.kind == "f" and np.isnan(found).any()):
        raise ValueError(f"classes must be a list of labels, got {classes!r}.")
    return np.unique(found)


def check_labels_alike(*labels: Any) -> None:
    """Refuse strings beside numbers: numpy would turn the numbers into strings."""
    kinds = {are_words(each) for each in labels if len(each)}
    if len(kinds) > 1:
        raise ValueError(
            "y and classes must hold labels of the kind seen before, strings or numbers; "
            "convert them, or fit anew."
        )


def learn(
    stream: Stream, classes: Any, X: Any, labels: Any, weights: Floats | None, descent: Descent
) -> tuple[Stream, Any]:
    """Take one step for each row; a new label enters where it first appears.

    Parameters
    ----------
    stream : Stream
    classes : array of the labels known to it, sorted
    X, labels, weights : the rows, (n, p), (n,) and (n,) or None for ones; a row of weight
        zero is as if absent
    descent : Descent

    Returns
    -------
    the stream after the rows, and the labels it knows then
    """
    if weights is not None and not weights.all():
        used = weights > 0
        X, labels, weights = X[used], labels[used], weights[used]
    every, firsts = np.unique(labels, return_index=True)
    entries: Indices = np.sort(firsts[~np.isin(every, classes)])
    for start, stop in pairwise([0, *entries[entries > 0], len(labels)]):
        stream, classes = with_classes(stream, classes, labels[start:stop][:1])
        part = slice(start, stop)
        index = np.searchsorted(classes, labels[part]).astype(np.intp, copy=False)
        w = None if weights is None else weights[part]
        stream = advance_over(stream, [Rows(X[part], index, len(classes), w)], descent)
    return stream, classes
