"""Left-out scores of every row, written to a file as they are made."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from simplexcoding.atomic import open_atomically
from simplexcoding.blocks.block import Blocks, checked_block, cut
from simplexcoding.passes.gather import present_rows, with_class_weight
from simplexcoding.passes.judge import class_numbers
from simplexcoding.passes.knowledge import check_same_rows
from simplexcoding.passes.ridge import Fitted
from simplexcoding.rows import Rows


class Written(NamedTuple):
    """A block whose scores are in the file."""

    n_rows: int


def write_left_out(
    source: Blocks, fitted: Fitted, path: Any, progress: Callable[[Any], None] = lambda block: None
) -> None:
    """Write the scores (n, T) of every row by the model fitted without it, in one pass.

    Rows of weight zero were in no fit: theirs are predictions.

    Parameters
    ----------
    source : Blocks
    fitted : Fitted
    path : str or Path of an .npy file, in the dtype of the rows
    progress : callable, default says nothing
        Called with each `Written` block.
    """
    known = fitted.knowledge
    n_rows, classes = known.gathered.n_rows, fitted.classes
    dtype = known.sample.X.dtype
    shape = (n_rows, len(classes))
    head = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    start, width = 0, max(known.features.width, len(classes))
    # Written, not mapped: pages of a mapping would count as memory of the process.
    with open_atomically(path) as file:
        np.lib.format.write_array_header_1_0(file, head)
        for part in source.parts:
            for number, block in enumerate(part):
                name = f"{part.name}, block {number}"
                for piece in cut(checked_block(block, name), width):
                    start += len(piece.y)
                    check_same_rows(n_rows, max(start, n_rows))
                    file.write(_scores(fitted, piece, name).astype(dtype, copy=False).tobytes())
                    progress(Written(len(piece.y)))
        check_same_rows(n_rows, start)


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
