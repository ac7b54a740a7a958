"""The alpha of the online solver: of several the best on held-out rows, all in the same passes."""

from typing import Any

import numpy as np

from simplexcoding.arrays import Floats
from simplexcoding.rows import Rows
from simplexcoding.selection.path import Path
from simplexcoding.solvers.solution import Status
from simplexcoding.solvers.stochastic.learning import Descent, StochasticSolution, solve
from simplexcoding.solvers.stochastic.stream import Stream


def fit_online(
    rows: Rows,
    descent: Descent,
    alphas: Floats,
    stream: Stream | None,
    rng: np.random.Generator,
    *,
    fraction: float,
    early_stopping: bool,
    shuffle: bool,
    **options: Any,
) -> tuple[StochasticSolution, Path | None]:
    """Fit the rows, choosing the alpha on held-out rows where there are several.

    Parameters
    ----------
    rows : Rows
    descent : Descent
    alphas : (m,) array
    stream : Stream of one model to continue, or None
    rng : Generator, draws the held-out rows and the order of the passes
    fraction : float, part of the rows held out
    early_stopping : bool
        Held-out rows choose the pass too, and what was learnt without them is the answer;
        else the chosen alpha learns from all rows.
    shuffle : bool
    **options : `max_iter`, `tol`, `patience` and `report` of `solve`

    Returns
    -------
    the solution of one model, and the held-out accuracies along alpha, None for one alpha
    """
    learn, held = rows, None
    if early_stopping or len(alphas) > 1:
        learn, held = rows.hold_out(fraction, rng)
        if not len(held):
            raise ValueError(
                f"validation_fraction={fraction} leaves no row to hold out of {len(rows)}; "
                "give more rows or a larger fraction."
            )
    options |= {"rng": rng if shuffle else None, "stop_on_held_out": early_stopping}
    solution = solve(learn, descent, _start(learn, alphas, stream), held_out=held, **options)
    if len(alphas) == 1 or solution.status is Status.NOT_FINITE:
        return solution, None
    path = Path.along("alpha", alphas, solution.scores)
    best = path.values[[path.best]]
    if early_stopping:
        return solution.only(int(np.argmax(alphas == best))), path
    return solve(rows, descent, _start(rows, best, stream), **options), path


def _start(rows: Rows, alphas: Floats, stream: Stream | None) -> Stream:
    if stream is not None:
        return stream.spread(alphas)
    return Stream.start(rows.X.shape[1], rows.n_classes, alphas, rows.X.dtype)
