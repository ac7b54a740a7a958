"""Moments of rows whose labels are not known beforehand."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from simplexcoding.arrays import Floats, are_words
from simplexcoding.design.moments import Moments
from simplexcoding.rows import Rows


@dataclass(frozen=True)
class LabelMoments:
    """Moments of the classes that were seen, under the names they came with. They add.

    A part of the data holds the class sums of its own labels only, so many classes cost
    nothing where they do not appear.

    Parameters
    ----------
    labels : (T,) array, ascending
    moments : Moments of T classes

    Examples
    --------
    >>> import numpy as np
    >>> one = LabelMoments.of(np.eye(2), np.array(["b", "a"]))
    >>> two = LabelMoments.of(np.eye(2), np.array(["c", "c"]))
    >>> (one + two).labels
    array(['a', 'b', 'c'], dtype='<U1')
    """

    labels: Any
    moments: Moments

    @classmethod
    def of(
        cls,
        X: Any,
        labels: Any,
        weights: Floats | None = None,
        centred: bool = True,
        dtype: Any = np.float64,
    ) -> "LabelMoments":
        """Moments of rows X (n, p) with labels (n,)."""
        present, y = np.unique(labels, return_inverse=True)
        targets = Rows.labelled(y, len(present), weights)
        return cls(present, Moments.of(X, targets, centred, dtype))

    def __add__(self, other: "LabelMoments") -> "LabelMoments":
        if self.moments.total == 0 or other.moments.total == 0:
            return self if other.moments.total == 0 else other
        if np.array_equal(self.labels, other.labels):
            return LabelMoments(self.labels, self.moments + other.moments)
        labels = union(self.labels, other.labels)
        return LabelMoments(labels, self._among(labels) + other._among(labels))

    def __sub__(self, other: "LabelMoments") -> "LabelMoments":
        """Without some rows; labels whose last row leaves go."""
        strange = np.setdiff1d(other.labels, self.labels)
        if other.moments.total and len(strange):
            raise ValueError(f"y holds {strange.tolist()[0]!r}, a label that no row has.")
        left = self.moments - other._among(self.labels)
        # Weights that sum to rounding are no rows.
        rounding = 1e-12 * self.moments.class_totals
        places = np.flatnonzero(left.class_totals > rounding)
        return LabelMoments(self.labels[places], left.only_classes(places))

    def _among(self, labels: Any) -> Moments:
        return self.moments.with_classes(np.searchsorted(labels, self.labels), len(labels))


def union(one: Any, other: Any) -> Any:
    """All labels of two ascending arrays, ascending; numbers and words do not mix."""
    if len(one) and len(other) and are_words(one) != are_words(other):
        raise ValueError(
            f"y holds labels of two kinds, such as {one.tolist()[0]!r} and "
            f"{other.tolist()[0]!r}; use one kind."
        )
    return np.union1d(one, other)
