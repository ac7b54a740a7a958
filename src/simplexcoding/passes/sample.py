"""A sample of rows that does not depend on how the rows are cut or ordered."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse, vstack

from simplexcoding.arrays import Bools, Floats, Indices
from simplexcoding.kernels import row_keys

# Where the number of rows is known a block offers this many times the rows it is likely to
# give; the bottom of all offers is the sample, unless rows repeat: `knowledge.gathered` looks.
_OFFERED_PER_EXPECTED = 4
LARGEST_KEY = 2**64 - 1


@dataclass(frozen=True)
class Sampler:
    """What makes a row one of a sample: the smallest hashes of row, label, weight and seed.

    Parameters
    ----------
    size : int, distinct rows of the sample
    seed : int
    n_rows : int, or None where it is not known
    """

    size: int
    seed: int
    n_rows: int | None = None

    def of(self, X: Any, labels: Any, weights: Floats | None) -> "Sample":
        """The sample of some rows."""
        keys = _mixed(self._keys(X, labels, weights))
        limit = LARGEST_KEY
        if self.n_rows is not None and self.n_rows > _OFFERED_PER_EXPECTED * self.size:
            limit = int(_OFFERED_PER_EXPECTED * self.size / self.n_rows * LARGEST_KEY)
        # Rows that cannot stay are not copied.
        offered = np.flatnonzero(keys <= np.uint64(limit))
        keys, first, counts = np.unique(keys[offered], return_index=True, return_counts=True)
        if len(keys) > self.size:
            limit = int(keys[self.size - 1])
        few = slice(0, self.size)
        first = offered[first[few]]
        weights = np.ones(len(first)) if weights is None else weights[first]
        return Sample(self.size, keys[few], X[first], labels[first], weights, counts[few], limit)

    def _keys(self, X: Any, labels: Any, weights: Floats | None) -> Any:
        present, index = np.unique(labels, return_inverse=True)
        names = np.array([_label_key(label, self.seed) for label in present], dtype=np.uint64)
        keys = row_keys(X) + names[index]
        if weights is not None:
            keys += row_keys(weights[:, None]) * np.uint64(0xD6E8FEB86659FD93)
        return keys


@dataclass(frozen=True)
class Sample:
    """Distinct rows with the smallest keys of all rows seen, and how often each was seen.

    A row whose key is small enough to stay has been counted from its first copy on: counts
    are exact. Samples add.

    Parameters
    ----------
    size : int, the most distinct rows
    keys : (m,) array, ascending
    X : (m, p) array or CSR matrix
    labels : (m,) array
    weights : (m,) array, weight of one copy
    counts : (m,) array, copies seen
    limit : int, the largest key that a row may have; no row seen below it is missing
    """

    size: int
    keys: Any
    X: Any
    labels: Any
    weights: Floats
    counts: Indices
    limit: int

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def whole(self) -> bool:
        """Whether no row seen is missing."""
        return self.limit == LARGEST_KEY

    def __add__(self, other: "Sample") -> "Sample":
        limit = min(self.limit, other.limit)
        if not len(self) or not len(other):
            # No rows say nothing about the kind of the labels.
            return (other if len(other) else self).below(limit)
        keys = np.concatenate([self.keys, other.keys])
        keys, first, copies = np.unique(keys, return_index=True, return_inverse=True)
        counts = np.bincount(copies, np.concatenate([self.counts, other.counts]), len(keys))
        every = Sample(
            self.size,
            keys,
            _stacked(self.X, other.X)[first],
            np.concatenate([self.labels, other.labels])[first],
            np.concatenate([self.weights, other.weights])[first],
            counts.astype(np.intp),
            limit,
        )
        return every.below(limit)

    def below(self, limit: int) -> "Sample":
        """Its rows with keys up to a limit, the smallest `size` of them."""
        most = int(np.searchsorted(self.keys, np.uint64(limit), side="right"))
        if most > self.size:
            most, limit = self.size, int(self.keys[self.size - 1])
        return replace(self.take(slice(0, most)), limit=limit)

    def __sub__(self, other: "Sample") -> "Sample":
        """Without the copies that another sample of the same sampler counts."""
        gone = dict(zip(other.keys.tolist(), other.counts.tolist(), strict=True))
        counts = self.counts - np.array([gone.get(key, 0) for key in self.keys.tolist()], dtype=int)
        return replace(self, counts=counts).take(counts > 0)

    def take(self, index: Bools | Indices | slice) -> "Sample":
        """Some of its rows."""
        return replace(
            self,
            keys=self.keys[index],
            X=self.X[index],
            labels=self.labels[index],
            weights=self.weights[index],
            counts=self.counts[index],
        )


def _stacked(one: Any, other: Any) -> Any:
    if issparse(one):
        return vstack([one, other]).tocsr()
    return np.concatenate([one, other])


def _label_key(label: Any, seed: int) -> int:
    digest = hashlib.blake2b(f"{seed}:{label}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _mixed(keys: Any) -> Any:
    """The finaliser of splitmix64: near keys become far apart."""
    keys = (keys ^ (keys >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    keys = (keys ^ (keys >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return keys ^ (keys >> np.uint64(31))
