"""Rows joining and leaving a training set, with the labels they bring or take along."""

from typing import Any

import numpy as np
from scipy.sparse import issparse, vstack

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.estimators.classifier import TrainingSet


def join(rows: TrainingSet, X: Any, labels: Any, weights: Floats | None) -> TrainingSet:
    """Rows followed by new ones; `classes` grows where they bring labels."""
    classes, y = np.unique(np.concatenate([rows.classes[rows.y], labels]), return_inverse=True)
    joined = vstack([rows.X, X]).tocsr() if issparse(rows.X) else np.concatenate([rows.X, X])
    if rows.weights is not None or weights is not None:
        new = np.ones(len(labels)) if weights is None else weights
        weights = np.concatenate([rows.counts, new])
    return TrainingSet(joined, y.astype(np.intp), classes, weights, None)


def leave(rows: TrainingSet, staying: Bools) -> TrainingSet:
    """Return the rows that stay; a class goes with its last row."""
    present, y = np.unique(rows.y[staying], return_inverse=True)
    weights = None if rows.weights is None else rows.weights[staying]
    return TrainingSet(rows.X[staying], y.astype(np.intp), rows.classes[present], weights, None)


def row_numbers(indices: Any, n_rows: int) -> Indices:
    """Indices of rows, checked."""
    rows = np.atleast_1d(np.asarray(indices))
    if rows.dtype == bool and len(rows) == n_rows:
        rows = np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError(f"indices must be row numbers, got {indices!r}.")
    if rows.size and (rows.min() < 0 or rows.max() >= n_rows):
        wrong = rows.min() if rows.min() < 0 else rows.max()
        raise ValueError(f"indices holds {wrong}, outside 0..{n_rows - 1}: the model's rows.")
    return np.unique(rows).astype(np.intp)
