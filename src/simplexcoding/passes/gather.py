"""The first pass: labels, a sample, and the moments of the features."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.blocks.block import Block
from simplexcoding.design.label_moments import LabelMoments, union
from simplexcoding.passes.features import Features
from simplexcoding.passes.sample import Sample, Sampler


@dataclass(frozen=True)
class LabelCounts:
    """Sums of sample weights of the labels seen. They add."""

    labels: Any
    totals: Floats

    def __add__(self, other: "LabelCounts") -> "LabelCounts":
        if not len(self.labels) or not len(other.labels):
            return self if len(self.labels) else other
        labels = union(self.labels, other.labels)
        totals = np.zeros(len(labels))
        totals[np.searchsorted(labels, self.labels)] += self.totals
        totals[np.searchsorted(labels, other.labels)] += other.totals
        return LabelCounts(labels, totals)

    def __sub__(self, other: "LabelCounts") -> "LabelCounts":
        totals = self.totals.copy()
        totals[np.searchsorted(self.labels, other.labels)] -= other.totals
        left = totals > 1e-12 * self.totals
        return LabelCounts(self.labels[left], totals[left])

    def balanced(self) -> dict[Any, float]:
        """The weight of each class that makes all classes weigh the same."""
        mean = self.totals.sum() / len(self.labels)
        return dict(zip(self.labels.tolist(), (mean / self.totals).tolist(), strict=True))


@dataclass(frozen=True)
class Gathered:
    """What is known of some rows. It adds.

    Parameters
    ----------
    n_rows : int, rows read
    n_kept : int, rows of positive weight
    n_features : int, columns of X
    counts : LabelCounts, by sample weight
    sample : Sample, or None where it is known already
    moments : tuple of LabelMoments, one for each map of features
    """

    n_rows: int
    n_kept: int
    n_features: int
    counts: LabelCounts
    sample: Sample | None
    moments: tuple[LabelMoments, ...]

    def __add__(self, other: "Gathered") -> "Gathered":
        if self.n_features != other.n_features:
            raise ValueError(
                f"blocks have {self.n_features} and {other.n_features} columns; "
                "give all the same features."
            )
        sample = None
        if self.sample is not None and other.sample is not None:
            sample = self.sample + other.sample
        moments = tuple(a + b for a, b in zip(self.moments, other.moments, strict=True))
        return Gathered(
            self.n_rows + other.n_rows,
            self.n_kept + other.n_kept,
            self.n_features,
            self.counts + other.counts,
            sample,
            moments,
        )

    def __sub__(self, other: "Gathered") -> "Gathered":
        """Without some of the rows, whose moments and counts must be among these."""
        moments = tuple(a - b for a, b in zip(self.moments, other.moments, strict=True))
        if self.sample is None or other.sample is None:
            raise ValueError("rows can leave only where a sample is kept.")
        return Gathered(
            self.n_rows - other.n_rows,
            self.n_kept - other.n_kept,
            self.n_features,
            self.counts - other.counts,
            self.sample - other.sample,
            moments,
        )


@dataclass(frozen=True)
class Gather:
    """The first pass over one block.

    Parameters
    ----------
    sampler : Sampler, or None to take no sample
    features : tuple of Features, whose moments are taken
    centred : bool, whether an intercept is free
    class_weight : dict from labels to weights, or None; labels it lacks weigh one
    """

    sampler: Sampler | None
    features: tuple[Features, ...]
    centred: bool
    class_weight: Mapping[Any, float] | None = None

    @property
    def width(self) -> int:
        """Numbers that are made of a row."""
        return max((map_.width for map_ in self.features), default=0)

    def __call__(self, block: Block, name: str) -> Gathered:
        X, y, weight = present_rows(block, name)
        labels, index = np.unique(y, return_inverse=True)
        counts = LabelCounts(labels, np.bincount(index, weight, len(labels)).astype(np.float64))
        weight = with_class_weight(y, weight, self.class_weight)
        sample = None if self.sampler is None else self.sampler.of(X, y, weight)
        moments = tuple(
            LabelMoments.of(map_.of(X), y, weight, self.centred, map_.product_dtype(X))
            for map_ in self.features
        )
        return Gathered(len(block.y), len(y), X.shape[1], counts, sample, moments)


def present_rows(block: Block, name: str) -> Block:
    """Rows of positive weight, with labels that can be classes."""
    X, y, weight = block
    if y.dtype.kind == "f" and np.any(y != np.floor(y)):
        raise ValueError(f"{name}: y holds fractions; labels must be classes, not measurements.")
    if weight is None or weight.all():
        return block
    kept = weight > 0
    return Block(X[kept], y[kept], weight[kept])


def with_class_weight(
    y: Any, weight: Floats | None, class_weight: Mapping[Any, float] | None
) -> Floats | None:
    """Sample weights times the weights of the classes; None where all are one."""
    if class_weight is None:
        return weight
    labels, index = np.unique(y, return_inverse=True)
    values = np.array([class_weight.get(label, 1.0) for label in labels.tolist()])
    return values[index] if weight is None else weight * values[index]
