"""Rows: the one carrier of training rows, from the estimators down to the factorisations."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse, vstack

from simplexcoding.arrays import Bools, Floats, Indices, slices

# Rows of a block: its features and its products stay in cache.
BLOCK = 4096


@dataclass(frozen=True)
class Rows:
    """Features, class indices and positive weights of n training rows.

    Parameters
    ----------
    X : (n, p) array or CSR matrix; the (n, n) kernel matrix of the rows where `pairwise`
    y : (n,) array of class indices
    n_classes : int
    weights : (n,) array of positive weights, or None for ones
    pairwise : bool, default=False
        Whether X holds kernel values between the rows, so that columns are rows too.

    Examples
    --------
    >>> import numpy as np
    >>> rows = Rows(np.eye(4), np.array([0, 1, 0, 1]), 2)
    >>> kept, held = rows.hold_out(0.5, np.random.default_rng(0))
    >>> len(kept), len(held)
    (2, 2)
    """

    X: Any
    y: Indices
    n_classes: int
    weights: Floats | None = None
    pairwise: bool = False

    @classmethod
    def labelled(cls, y: Indices, n_classes: int, weights: Floats | None = None) -> "Rows":
        """Labels and weights alone: rows without features."""
        return cls(np.empty((len(y), 0)), y, n_classes, weights)

    @property
    def bare(self) -> "Rows":
        """The same labels and weights without features: cheap to take parts of."""
        return Rows.labelled(self.y, self.n_classes, self.weights)

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def counts(self) -> Floats:
        """Weights as an array, ones where there are none, (n,)."""
        return row_weights(self.weights, len(self.y))

    @cached_property
    def total(self) -> float:
        """Sum of the weights."""
        return float(self.counts.sum())

    @cached_property
    def class_totals(self) -> Floats:
        """Sum of the weights of each class, (T,)."""
        return np.bincount(self.y, self.weights, minlength=self.n_classes).astype(np.float64)

    @cached_property
    def roots(self) -> Floats:
        """Square roots of the weights, (n,)."""
        return np.sqrt(self.counts)

    def take(self, index: Any) -> "Rows":
        """Some of the rows: a slice, numbers or a mask."""
        X = self.X[index]
        weights = None if self.weights is None else self.weights[index]
        return replace(
            self, X=X[:, index] if self.pairwise else X, y=self.y[index], weights=weights
        )

    def without(self, numbers: Indices) -> "Rows":
        """The other rows."""
        return self.take(self.others(numbers))

    def others(self, numbers: Indices) -> Bools:
        """A mask of the rows that are not in `numbers`, (n,)."""
        staying = np.ones(len(self), dtype=bool)
        staying[numbers] = False
        return staying

    def join(self, later: "Rows") -> "Rows":
        """These rows followed by later ones, of as many classes."""
        X = (
            vstack([self.X, later.X]).tocsr()
            if issparse(self.X)
            else np.concatenate([self.X, later.X])
        )
        weights = None
        if self.weights is not None or later.weights is not None:
            weights = np.concatenate([self.counts, later.counts])
        return replace(self, X=X, y=np.concatenate([self.y, later.y]), weights=weights)

    def with_dtype(self, dtype: Any) -> "Rows":
        """The same rows with features of this dtype."""
        return replace(self, X=self.X.astype(dtype, copy=False))

    def relabelled(self, places: Indices, n_classes: int) -> "Rows":
        """The same rows with class k called places[k]."""
        return replace(self, y=places[self.y].astype(np.intp, copy=False), n_classes=n_classes)

    def hold_out(self, fraction: float, rng: np.random.Generator) -> "tuple[Rows, Rows]":
        """Rows to learn from and rows held out, each class giving its share."""
        learn, held = hold_out(self.y, fraction, rng)
        return self.take(learn), self.take(held)

    def blocks(self, size: int = BLOCK) -> Iterator[tuple[slice, "Rows"]]:
        """Runs of at most `size` rows in order, with the places they hold."""
        for part in slices(len(self), size):
            yield part, self.take(part)

    def basis(self, index: Indices) -> Any:
        """What a kernel expansion keeps of some rows: their features, or numbers if pairwise."""
        return index if self.pairwise else self.X[index]

    def class_sums(self, values: Any) -> Floats:
        """Weighted sums over each class of values (n, q), (T, q): Y'W values in O(n q).

        In float64, whatever the dtype of the values, a block of rows at a time.
        """
        sums = np.zeros((self.n_classes, values.shape[1]))
        for part in slices(len(self), BLOCK):
            size = part.stop - part.start
            picks = csr_matrix(
                (self.counts[part], (self.y[part], np.arange(size))), shape=(self.n_classes, size)
            )
            sums += picks @ values[part]
        return sums

    def one_hot(self, dtype: Any = np.float64) -> Floats:
        """One-hot targets Y, (n, T), for solvers that need right-hand sides."""
        Y = np.zeros((len(self), self.n_classes), dtype=dtype)
        Y[np.arange(len(self)), self.y] = 1.0
        return Y


@dataclass(frozen=True)
class Training:
    """Training rows of positive weight, and their place among the caller's.

    Parameters
    ----------
    rows : Rows
        Weights are sample times class weights, None where all are one.
    classes : (T,) array of labels
    kept : (m,) array of booleans or None
        Which of the caller's rows are here, None for all.
    others : array or None
        The caller's other rows, of weight zero, validated; None where there are none.
    """

    rows: Rows
    classes: Any
    kept: Bools | None = None
    others: Any = None

    @property
    def labels(self) -> Any:
        """Labels of the rows, (n,)."""
        return self.classes[self.rows.y]

    @property
    def numbers(self) -> Indices:
        """The caller's numbers of the rows, (n,)."""
        return np.arange(len(self.rows)) if self.kept is None else np.flatnonzero(self.kept)

    @property
    def size(self) -> int:
        """How many rows the caller gave, those of weight zero among them."""
        return len(self.rows) if self.kept is None else len(self.kept)

    def places(self, numbers: Indices) -> Indices:
        """Places among the rows of the caller's numbers; those of weight zero have none."""
        if self.kept is None:
            return numbers
        return (np.cumsum(self.kept) - 1)[numbers[self.kept[numbers]]]

    def spread(self, values: Floats, others: Floats | None) -> Floats:
        """Values of the rows, and of the others, in the caller's order."""
        if self.kept is None or others is None:
            return values
        every = np.empty((len(self.kept), *values.shape[1:]), dtype=values.dtype)
        every[self.kept], every[~self.kept] = values, others
        return every

    def among(self, part: Bools | None) -> Bools | None:
        """A mask of the rows (None for all) as one of the caller's rows, None for all of those."""
        if self.kept is None or part is None:
            return self.kept if part is None else part
        marked = self.kept.copy()
        marked[self.kept] = part
        return marked

    def joined(self, later: "Training") -> "Training":
        """These rows followed by later ones; classes grow where they bring labels."""
        classes = np.union1d(self.classes, later.classes)
        one, other = (
            part.rows.relabelled(np.searchsorted(classes, part.classes), len(classes))
            for part in (self, later)
        )
        return Training(one.join(other), classes)

    def without(self, staying: Bools) -> "Training":
        """The rows that stay; a class goes with its last row."""
        rows = self.rows.take(staying)
        present, y = np.unique(rows.y, return_inverse=True)
        rows = replace(rows, y=y.astype(np.intp), n_classes=len(present))
        return Training(rows, self.classes[present])


def hold_out(y: Indices, fraction: float, rng: np.random.Generator) -> tuple[Indices, Indices]:
    """Numbers of the rows to learn from and of those held out, both ascending.

    Each class gives its share, rounded, and keeps at least one row to learn from.

    Parameters
    ----------
    y : (n,) array of class indices
    fraction : float in (0, 1), the part held out
    rng : Generator, draws which rows of a class go

    Examples
    --------
    >>> import numpy as np
    >>> learn, held = hold_out(np.repeat([0, 1], 10), 0.2, np.random.default_rng(0))
    >>> len(learn), len(held)
    (16, 4)
    """
    shuffled = rng.permutation(len(y))
    by_class = shuffled[np.argsort(y[shuffled], kind="stable")]
    counts = np.bincount(y)
    sizes = counts[y[by_class]]
    ranks = np.arange(len(y)) - (np.cumsum(counts) - counts)[y[by_class]]
    out = ((ranks + 0.5) / sizes < fraction) & (ranks < sizes - 1)
    return np.sort(by_class[~out]), np.sort(by_class[out])


def row_weights(weights: Floats | None, n_rows: int) -> Floats:
    """The weights of the rows, (n,): ones where there are none."""
    return np.ones(n_rows) if weights is None else weights


# Sums of weights and their squares stay within the range of single precision or near it.
SMALLEST_WEIGHT, LARGEST_WEIGHT = 1e-30, 1e30


def check_weights(weights: Floats) -> Floats:
    """The weights of the rows, refused where sums of them or of their squares may overflow.

    Single rows may have weights as small as they like, zero among them.
    """
    largest = weights.max()
    if not SMALLEST_WEIGHT <= largest <= LARGEST_WEIGHT:
        raise ValueError(
            "sample_weight, times class_weight, is out of range: the largest must lie between "
            f"{SMALLEST_WEIGHT:g} and {LARGEST_WEIGHT:g}, got {largest:g}; divide all by it."
        )
    return weights
