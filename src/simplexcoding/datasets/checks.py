"""What was got is what was meant: shapes, class counts and a checksum."""

import json
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simplexcoding.datasets.split import Split


class DataError(ValueError):
    """Data that cannot be had, or that is not what its name says."""


class Fingerprint(NamedTuple):
    """Shapes, class counts of both parts, and a checksum of every value and label."""

    shapes: list[list[int]]
    counts: list[list[int]]
    sha256: str


def integers(X: Any, decimals: int) -> NDArray[np.int64]:
    """Values as whole numbers of the last decimal of their source."""
    return np.rint(np.asarray(X, dtype=np.float64) * 10**decimals).astype(np.int64)


def fingerprint(split: Split, decimals: int) -> Fingerprint:
    """Fingerprint of a split; the same on every machine and for every dtype."""
    digest = sha256()
    for part in (split.X_train, split.X_test):
        digest.update(integers(part, decimals).astype("<i8").tobytes())
    for labels in (split.y_train, split.y_test):
        digest.update(labels.astype("<i8").tobytes())
    return Fingerprint(
        [list(split.X_train.shape), list(split.X_test.shape)],
        [np.bincount(labels).tolist() for labels in (split.y_train, split.y_test)],
        digest.hexdigest(),
    )


@cache
def known_fingerprints() -> dict[str, Fingerprint]:
    """Fingerprints of the official splits, by name; written by benchmarks/official_splits.py."""
    text = files("simplexcoding.datasets").joinpath("fingerprints.json").read_text()
    return {name: Fingerprint(**values) for name, values in json.loads(text).items()}


def checked(split: Split, decimals: int) -> Split:
    """Return the split if it is the official one; raise a DataError that names the difference."""
    expected = known_fingerprints()[split.name]
    found = fingerprint(split, decimals)
    for what in Fingerprint._fields:
        if getattr(found, what) != getattr(expected, what):
            raise DataError(
                f"{split.name} from {split.source} is not the official split: its {what} "
                f"{_short(getattr(found, what))} should be {_short(getattr(expected, what))}; "
                "give another source with --data."
            )
    return split


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) < 60 else text[:57] + "..."
