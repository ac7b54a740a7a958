"""Rows set aside to watch a fit."""

import numpy as np

from simplexcoding.arrays import Indices
from simplexcoding.estimators.classifier import TrainingSet
from simplexcoding.selection.hold_out import hold_out


def held_out_split(
    rows: TrainingSet, fraction: float, seed: int
) -> tuple[TrainingSet, TrainingSet | None]:
    """Training rows and held-out rows; each class gives its share.

    Parameters
    ----------
    rows : TrainingSet
    fraction : float in [0, 1); zero holds nothing out
    seed : int
    """
    if fraction == 0.0:
        return rows, None
    train, watch = hold_out(rows.y, fraction, np.random.default_rng(seed))
    if not len(watch):
        raise ValueError(
            f"early_stopping=True has no row to hold out of {len(rows.y)} with "
            f"validation_fraction={fraction}; give more rows, or set it to False."
        )
    return _take(rows, train), _take(rows, watch)


def _take(rows: TrainingSet, index: Indices) -> TrainingSet:
    weights = None if rows.weights is None else rows.weights[index]
    return rows._replace(X=rows.X[index], y=rows.y[index], weights=weights)
