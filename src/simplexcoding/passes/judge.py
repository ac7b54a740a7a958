"""The second pass: exact left-out predictions of every row at a few alphas."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, Indices
from simplexcoding.blocks.block import Block
from simplexcoding.design import FeatureSpectrum
from simplexcoding.passes.features import Features
from simplexcoding.passes.gather import present_rows, with_class_weight
from simplexcoding.rows import Rows


@dataclass(frozen=True)
class Judged:
    """Left-out results of some rows at k alphas. They add.

    Parameters
    ----------
    n_rows : int, rows read
    hits : (k, T) array, weight of the rows of each class that are predicted rightly
    totals : (T,) array, weight of the rows of each class
    squared : (k,) array, weighted sum of ||c_y - f||^2
    """

    n_rows: int
    hits: Floats
    totals: Floats
    squared: Floats

    def __add__(self, other: "Judged") -> "Judged":
        return Judged(
            self.n_rows + other.n_rows,
            self.hits + other.hits,
            self.totals + other.totals,
            self.squared + other.squared,
        )


@dataclass(frozen=True)
class Judge:
    """The second pass over one block.

    Parameters
    ----------
    spectrum : FeatureSpectrum of the moments, without rows
    features : Features
    classes : (T,) array of labels
    alphas : (k,) array
    class_weight : dict from labels to weights, or None
    """

    spectrum: FeatureSpectrum
    features: Features
    classes: Any
    alphas: Floats
    class_weight: Mapping[Any, float] | None = None

    @property
    def width(self) -> int:
        """Numbers that are made of a row; its scores come by classes and blocks of their own."""
        return self.features.width

    def __call__(self, block: Block, name: str) -> Judged:
        X, labels, weight = present_rows(block, name)
        n_classes = len(self.classes)
        if not len(labels):
            hits, zeros = np.zeros((len(self.alphas), n_classes)), np.zeros(n_classes)
            return Judged(len(block.y), hits, zeros, np.zeros(len(self.alphas)))
        y = class_numbers(labels, self.classes, name)
        weight = with_class_weight(labels, weight, self.class_weight)
        targets = Rows.labelled(y, n_classes, weight)
        scan = self.spectrum.over(self.features.of(X), targets).scan(self.alphas)
        hits = np.stack(
            [np.bincount(y, targets.counts * right, n_classes) for right in scan.correct]
        )
        return Judged(len(block.y), hits, targets.class_totals, scan.squared_error * targets.total)


def class_numbers(labels: Any, classes: Any, name: str) -> Indices:
    """Places of labels among the classes of the first pass."""
    places = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    strange = np.flatnonzero(classes[places] != labels)
    if len(strange):
        raise ValueError(
            f"{name}: y holds {labels.tolist()[strange[0]]!r}, which the first reading did not; "
            "blocks must give the same rows every time."
        )
    return places.astype(np.intp)
