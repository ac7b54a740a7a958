"""Rows set aside to watch a fit."""

import numpy as np
from sklearn.model_selection import train_test_split

from simplexcoding.arrays import Indices
from simplexcoding.estimators.classifier import TrainingSet


def held_out_split(
    rows: TrainingSet, fraction: float, seed: int
) -> tuple[TrainingSet, TrainingSet | None]:
    """Training rows and held-out rows, those of weight zero left out of both.

    The split keeps the shares of the classes where every class has two rows and both parts
    have room for every class.

    Parameters
    ----------
    rows : TrainingSet
    fraction : float in [0, 1); zero holds nothing out
    seed : int
    """
    index = np.arange(len(rows.y)) if rows.weights is None else np.flatnonzero(rows.weights)
    if fraction == 0.0:
        return _take(rows, index), None
    if len(index) < 2:
        raise ValueError("early_stopping=True needs at least two rows, got one: set it to False.")
    y = rows.y[index]
    size = min(max(1, round(fraction * len(y))), len(y) - 1)
    counts = np.bincount(y)
    counts = counts[counts > 0]
    even = counts.min() > 1 and min(size, len(y) - size) >= len(counts)
    train, watch = train_test_split(
        index, test_size=size, random_state=seed, stratify=y if even else None
    )
    return _take(rows, np.sort(train)), _take(rows, np.sort(watch))


def _take(rows: TrainingSet, index: Indices) -> TrainingSet:
    if len(index) == len(rows.y):
        return rows
    weights = None if rows.weights is None else rows.weights[index]
    return rows._replace(X=rows.X[index], y=rows.y[index], weights=weights)
