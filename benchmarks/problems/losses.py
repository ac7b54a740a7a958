"""The losses, row by row."""

from functools import partial

import numpy as np

from benchmarks.harness import Contender, problem
from simplexcoding.losses import get_loss

PIECEWISE_LINEAR = {
    "cone": get_loss("cone"),
    "half_space": get_loss("half_space"),
    "half_space, no hull": get_loss("half_space", hull=False),
    "relative": get_loss("relative"),
    "vertex": get_loss("vertex"),
}


@problem(
    title="Prox of the losses with a closed or sorted form, 100,000 rows by 10 classes, step 1",
    bar="at most 15 times np.sort(S, axis=1)",
    limit=15,
    baseline="np.sort",
)
def prox(quick: bool) -> list[Contender]:
    n_rows, n_classes = (1_000 if quick else 100_000), 10
    rng = np.random.default_rng(0)
    S = rng.standard_normal((n_rows, n_classes))
    S -= S.mean(axis=1, keepdims=True)
    y = rng.integers(n_classes, size=n_rows)

    def notes(P: np.ndarray) -> dict[str, object]:
        return {"largest row sum": float(abs(P.sum(axis=1)).max())}

    ours = [
        Contender(f"prox of {name}", partial(loss.prox, S, y, 1.0), notes, ours=True)
        for name, loss in PIECEWISE_LINEAR.items()
    ]
    return [Contender("np.sort", lambda: np.sort(S, axis=1)), *ours]
