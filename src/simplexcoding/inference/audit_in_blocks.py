"""An audit of labels whose left-out scores lie in a file: some rows at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from simplexcoding.arrays import Floats, Indices, row_blocks
from simplexcoding.inference.profiles import Profiles
from simplexcoding.inference.suspects import (
    Suspects,
    mean_probabilities,
    ordered_suspects,
    scaled_to_classes,
    speaking_rows,
)
from simplexcoding.inference.temperature import fit_temperature

# How often an audit reads its scores, about: temperatures take more or fewer steps.
_READINGS = 10


def rank_in_blocks(
    path: Any, y: Indices, progress: Callable[[int, int], None] = lambda done, total: None
) -> Suspects:
    """The suspects of `rank_suspects`, by scores that are read in passes and never held.

    Memory is a few numbers for each row, whatever the number of classes.

    Parameters
    ----------
    path : str or Path of an .npy file of left-out scores (n, T)
    y : (n,) array of class indices, of any integer type
    progress : callable, default says nothing
        Told the rows read so far and those to read in all, about.
    """
    left_out = ScoreFile(path, progress)
    n_rows, n_classes = left_out.shape
    probabilities = _Probabilities(left_out, y)
    own, best = np.empty(n_rows), np.empty(n_rows)
    suggested = np.empty(n_rows, dtype=y.dtype)
    for rows in row_blocks(n_rows, n_classes):
        block = probabilities[rows]
        own[rows] = block[np.arange(len(block)), y[rows]]
        suggested[rows], best[rows] = block.argmax(axis=1), block.max(axis=1)
    means = mean_probabilities(own, y, n_classes)
    joint = np.zeros((n_classes, n_classes))
    for rows in row_blocks(n_rows, n_classes):
        joint += speaking_rows(probabilities[rows], y[rows], means)
    return ordered_suspects(y, own, suggested, best, scaled_to_classes(joint, y))


class ScoreFile:
    """Scores (n, T) in an .npy file, of which only the rows asked for are in memory.

    Parameters
    ----------
    path : str or Path of an .npy file
    progress : callable, default says nothing, told the rows read so far and in all, about
    """

    def __init__(
        self, path: Any, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> None:
        self._path, self._progress, self._done = path, progress, 0
        self.shape: tuple[int, int] = np.load(path, mmap_mode="r").shape
        self.size = self.shape[0] * self.shape[1]

    def __getitem__(self, rows: Any) -> Floats:
        # Through a mapping of its own: pages that were read count as memory while mapped.
        block = np.array(np.load(self._path, mmap_mode="r")[rows], dtype=np.float64)
        self._done += len(block)
        self._progress(self._done, max(self._done, _READINGS * self.shape[0]))
        return block


class _ProfileScores:
    """Scores by the profiles of the classes, made as they are asked for."""

    def __init__(self, left_out: ScoreFile, y: Indices) -> None:
        self._left_out, self._y = left_out, y
        self._profiles = Profiles.of(left_out, y)
        self.shape, self.size = left_out.shape, left_out.size

    def __getitem__(self, rows: Any) -> Floats:
        return self._profiles.scores(self._left_out[rows], self._y[rows])


class _Probabilities:
    """Those of `audit_probabilities`, made as they are asked for."""

    def __init__(self, left_out: ScoreFile, y: Indices) -> None:
        views: list[Any] = [left_out, _ProfileScores(left_out, y)]
        self._views = [(view, fit_temperature(view, y)) for view in views]

    def __getitem__(self, rows: Any) -> Floats:
        total = sum(softmax(beta * view[rows], axis=1) for view, beta in self._views)
        return np.asarray(total) / len(self._views)
