"""A stream whose labels may grow."""

from itertools import pairwise
from typing import Any

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.solvers.stochastic.learning import Descent, Rows, advance
from simplexcoding.solvers.stochastic.stream import Stream


def with_classes(stream: Stream, classes: Any, new: Any) -> tuple[Stream, Any]:
    """Add the labels of `new` that are not in `classes`, keeping these sorted."""
    for label in np.setdiff1d(new, classes):
        every = np.union1d(classes, [label])
        if stream.n_classes < len(every):
            stream = stream.widen(int(np.searchsorted(every, label)))
        classes = every
    return stream, classes


def learn(stream: Stream, classes: Any, rows: Rows, descent: Descent) -> tuple[Stream, Any]:
    """Take one step a row; a new label enters where it first appears."""
    labels, firsts = np.unique(rows.y, return_index=True)
    entries: Indices = np.sort(firsts[~np.isin(labels, classes)])
    cuts = [0, *entries, len(rows.y)]
    for start, stop in pairwise(cuts):
        if start in entries:
            stream, classes = with_classes(stream, classes, rows.y[start : start + 1])
        if start < stop:
            part = slice(start, stop)
            index = np.searchsorted(classes, rows.y[part]).astype(np.intp, copy=False)
            w = None if rows.w is None else rows.w[part]
            chosen = Rows(rows.X[part], index, w)
            stream = advance(stream, chosen, descent, np.arange(stop - start))
    return stream, classes
