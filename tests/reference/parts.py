"""Rows in parts that are read where they are needed, and what they are fitted to."""

import os
import time
from pathlib import Path

import numpy as np

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays

rng = np.random.default_rng(0)
N, PARTS = 1200, 20
y = rng.integers(5, size=N)
X = rng.normal(size=(5, 6))[y] + rng.normal(size=(N, 6))


def linear():
    return SimplexRidgeClassifier("linear")


def rbf():
    return SimplexRidgeClassifier("rbf", landmarks=30)


def local(model=linear):
    """The fit in this process, to blocks cut as the collections are."""
    return model().fit_blocks(from_arrays(X, y, rows=N // PARTS))


def same_bits(a, b):
    """Whether two models are equal, left-out scores included."""
    return (
        np.array_equal(a.decision_function(X), b.decision_function(X))
        and np.array_equal(a.path_.score, b.path_.score)
        and np.array_equal(a.loo_scores_, b.loo_scores_)
    )


def rows_of(number):
    """The rows of a part."""
    size = N // PARTS
    return X[number * size : (number + 1) * size]


def collections(read=rows_of):
    """Dask arrays whose parts are read by a function of their number."""
    import dask.array as da

    from dask import delayed

    size = N // PARTS
    pieces = [da.from_delayed(delayed(read)(k), (size, 6), float) for k in range(PARTS)]
    return da.concatenate(pieces), da.from_array(y, size)


class Logged:
    """Reads slowly, and leaves a file for every reading: part, process and time."""

    def __init__(self, folder, seconds=0.0):
        self.folder, self.seconds = str(folder), seconds

    def __call__(self, number):
        stamp = f"{number}-{os.getpid()}-{time.monotonic_ns()}"
        Path(self.folder, stamp).touch()
        time.sleep(self.seconds)
        return rows_of(number)


class Deed:
    """Reads, and does something once: at the so manieth reading of some part."""

    def __init__(self, folder, part, reading, deed):
        self.marks, self.part, self.reading, self.deed = str(folder), part, reading, deed

    def __call__(self, number):
        if number == self.part:
            Path(self.marks, f"{time.monotonic_ns()}").touch()
            if len(os.listdir(self.marks)) == self.reading:
                self.deed()
        return rows_of(number)


def readings(folder):
    """Part, process and time of every reading, in order."""
    found = [tuple(map(int, name.split("-"))) for name in os.listdir(folder)]
    return sorted(found, key=lambda each: each[2])
