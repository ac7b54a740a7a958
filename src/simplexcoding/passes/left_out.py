"""Left-out scores of every row, written to a file as they are made."""

from typing import Any

import numpy as np

from simplexcoding.blocks.block import Blocks, checked_block
from simplexcoding.passes.gather import present_rows, with_class_weight
from simplexcoding.passes.judge import class_numbers
from simplexcoding.passes.knowledge import check_same_rows
from simplexcoding.passes.ridge import Fitted
from simplexcoding.rows import Rows


def write_left_out(source: Blocks, fitted: Fitted, path: Any) -> None:
    """Write the scores (n, T) of every row by the model fitted without it, in one pass.

    Rows of weight zero were in no fit: theirs are predictions.

    Parameters
    ----------
    source : Blocks
    fitted : Fitted
    path : str or Path of an .npy file, in the dtype of the rows
    """
    known = fitted.knowledge
    n_rows, classes = known.gathered.n_rows, fitted.classes
    dtype = known.sample.X.dtype
    shape = (n_rows, len(classes))
    file = np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=shape)
    start = 0
    for part in source.parts:
        for number, block in enumerate(part):
            name = f"{part.name}, block {number}"
            block = checked_block(block, name)
            stop = start + len(block.y)
            check_same_rows(n_rows, max(stop, n_rows))
            file[start:stop] = _scores(fitted, block, name)
            start = stop
    check_same_rows(n_rows, start)
    file.flush()


def _scores(fitted: Fitted, block: Any, name: str) -> Any:
    known, classes = fitted.knowledge, fitted.classes
    scores = np.empty((len(block.y), len(classes)), dtype=block.X.dtype)
    kept = np.ones(len(block.y), dtype=bool) if block.weight is None else block.weight > 0
    if kept.any():
        X, labels, weight = present_rows(block, name)
        weight = with_class_weight(labels, weight, known.class_weight)
        targets = Rows.labelled(class_numbers(labels, classes, name), len(classes), weight)
        spectrum = fitted.spectrum.over(known.features.of(X), targets)
        scores[kept] = spectrum.leave_one_out(fitted.alpha).scores()
    if not kept.all():
        found = fitted.spectrum.coefficients(fitted.alpha).simplex()
        features = known.features.of(block.X[~kept])
        scores[~kept] = features @ found.weights + found.intercept
    return scores
