"""Margin machines on a few distinct rows: how many do not converge, and after how long.

    python -m benchmarks.few_sites                        as the package is
    python -m benchmarks.few_sites --without-plain-steps  accelerated whatever the residual does

Rows are drawn at 6 to 30 sites, 800 to 6,000 of them, with labels by chance: 24 draws, two values
of C, half-space with hull and cone. Accelerated steps may go round there; what they do depends on
the rounding of the linear algebra, so other builds of NumPy may print other numbers. See
docs/decisions/12-splitting-for-margins.md.
"""

import argparse
import warnings
from contextlib import nullcontext
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from simplexcoding import SimplexSVC
from simplexcoding.arrays import Floats, Indices
from simplexcoding.solvers.splitting import iteration
from simplexcoding.solvers.splitting.acceleration import Acceleration

DRAWS, COSTS, LOSSES = 24, (1.0, 30.0), ("half_space", "cone")
SITES, CLASSES, ROWS = (6, 12, 30), (3, 5), (800, 3000, 6000)
MOST_ITERATIONS = 3000


class Unpunished(Acceleration):
    """Acceleration that only forgets where it has led away: no plain steps follow."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._next_rest = 0


def drawn(seed: int) -> tuple[Floats, Indices]:
    """Rows, each the unit vector of its site, and labels by the probabilities of the site."""
    rng = np.random.default_rng(seed)
    n_sites, n_classes = SITES[seed % 3], CLASSES[seed % 2]
    n_rows = ROWS[(seed // 3) % 3]
    P = rng.dirichlet(np.ones(n_classes) * 2, size=n_sites)
    site = rng.integers(n_sites, size=n_rows)
    below = rng.uniform(size=(n_rows, 1)) > P[site].cumsum(axis=1)
    return np.eye(n_sites)[site], below.sum(axis=1).clip(max=n_classes - 1)


def fitted(seed: int, loss: str, cost: float) -> tuple[SimplexSVC, bool]:
    """A machine, and whether it has converged."""
    model = SimplexSVC(
        loss,
        kernel="linear",
        fit_intercept=bool(seed % 2),
        C=cost,
        max_iter=MOST_ITERATIONS,
        verbose=False,
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(*drawn(seed))
    return model, not any(issubclass(each.category, ConvergenceWarning) for each in caught)


def main(plain_steps: bool) -> None:
    """Print a line for each problem that does not converge, then the count and the median."""
    iterations, missed = [], 0
    other = nullcontext() if plain_steps else patch.object(iteration, "Acceleration", Unpunished)
    with other:
        for seed, cost, loss in product(range(DRAWS), COSTS, LOSSES):
            model, converged = fitted(seed, loss, cost)
            iterations.append(model.n_iter_)
            if not converged:
                missed += 1
                told = f"draw {seed}, {loss}, C = {cost:g}: gap {model.duality_gap_:.1e}"
                print(told, flush=True)
    print(
        f"{missed} of {len(iterations)} problems have not converged after {MOST_ITERATIONS} "
        f"iterations; median of n_iter_ {np.median(iterations):g}"
    )


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--without-plain-steps", action="store_true")
    main(not arguments.parse_args().without_plain_steps)
