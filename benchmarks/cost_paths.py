"""Held-out accuracies along C, on more and more of the rows, roughly solved and further.

    python -m benchmarks.cost_paths letter          half, a quarter and an eighth of 8,000 rows
    python -m benchmarks.cost_paths satimage relative

A fifth of the training rows is held out; parts of the others learn. See
docs/decisions/12-splitting-for-margins.md.
"""

import argparse

import numpy as np

from benchmarks.problems.svc import standardised
from simplexcoding.design.operators import Gram
from simplexcoding.kernels import Kernel, gamma_values
from simplexcoding.losses import get_loss
from simplexcoding.rows import hold_out
from simplexcoding.selection.row_copies import held_out_copies
from simplexcoding.solvers.margin import MarginProblem
from simplexcoding.solvers.splitting.iteration import Stop
from simplexcoding.solvers.splitting.sample import Sample

MOST_ROWS = 8000
SHARES = (0.125, 0.25, 0.5, 1.0)
PLACES = np.arange(0, 9) / 2
GAPS = (0.1, 1e-2)


def show(name: str, loss: str, shares: list[float]) -> None:
    """Print accuracies in per cent, for each share of the rows a line for each gap."""
    X, y, _, _ = standardised(name)
    X, y = X[:MOST_ROWS], np.unique(y[:MOST_ROWS], return_inverse=True)[1]
    gamma = gamma_values("rbf", "quantile", X)[0]
    K = Kernel("rbf", gamma).matrix(X)
    held = held_out_copies(X, y, 0.2, 0)
    learn = np.setdiff1d(np.arange(len(y)), held)
    problem = MarginProblem(get_loss(loss), y, np.ones(len(y)), int(y.max()) + 1)
    print(f"{name}, {loss}; log10 of C:", *(f"{place:5g}" for place in PLACES))
    for share in shares:
        drawn = learn[hold_out(y[learn], share, np.random.default_rng(0))[1]]
        rows = np.isin(np.arange(len(y)), drawn if share < 1 else learn)
        part = problem.without(np.flatnonzero(~rows))
        machine, found = Sample(Gram(K), rows, min(GAPS)), None
        for gap in GAPS:
            parts = [part.scaled(10.0**place) for place in PLACES]
            found = machine.solve(parts, Stop(gap, 1000), found)
            right = [np.mean(f.scores[held].argmax(axis=1) == y[held]) for f in found]
            print(
                f"{int(rows.sum()):6d} rows, gap {gap:4g}:",
                *(f"{100 * accuracy:5.2f}" for accuracy in right),
                "in",
                *(f.iterations for f in found),
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("loss", nargs="?", default="cone")
    parser.add_argument("--shares", type=float, nargs="*", default=SHARES)
    chosen = parser.parse_args()
    show(chosen.data, chosen.loss, chosen.shares)
