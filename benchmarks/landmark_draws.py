"""Ways to draw landmarks, by the log-loss of left-out rows and the time to draw them.

    python -m benchmarks.landmark_draws

Prints the table of docs/decisions/17-landmarks-by-left-out-rows.md.
"""

from collections.abc import Callable
from dataclasses import replace
from time import process_time

import numpy as np

from benchmarks.data import split
from simplexcoding.arrays import Floats, Indices
from simplexcoding.design.landmark_features import LandmarkFeatures
from simplexcoding.kernels import Kernel, gamma_values
from simplexcoding.rows import Rows
from simplexcoding.selection.scoring import NegLogLoss
from simplexcoding.solvers.ridge import RidgeProblem

# Multiples of the quantile width's gamma, about those that left-out rows choose.
SETS = {"letter": 4.0, "pendigits": 1.0, "isolet": 1.0}
LANDMARKS, ASKED, DRAWS = 1000, 2000, 3
ALPHAS = (0.001, 0.01, 0.05)
_SEEDS_AT_ONCE, _PIVOTS_AT_ONCE, _DIRECTIONS = 50, 100, 32


def uniform(problem: RidgeProblem, rng: np.random.Generator) -> Indices:
    return rng.permutation(len(problem.X))[:LANDMARKS]


def seeds(problem: RidgeProblem, rng: np.random.Generator, bounded: bool = False) -> Indices:
    """k-means++: rows by their distance to the landmarks so far, bounded by the kernel or not."""
    Z = problem.X.astype(np.float32)
    if Z.shape[1] > _DIRECTIONS:
        directions = rng.normal(size=(Z.shape[1], _DIRECTIONS)) / np.sqrt(_DIRECTIONS)
        Z = Z @ directions.astype(np.float32)
    Z -= Z.mean(axis=0)
    lengths, far = np.einsum("ij,ij->i", Z, Z), np.ones(len(Z))
    chosen: Indices = np.empty(0, dtype=np.intp)
    while len(chosen) < LANDMARKS:
        picked = rng.choice(len(Z), _SEEDS_AT_ONCE, replace=False, p=far / far.sum())
        squares = (lengths[:, None] + lengths[picked] - 2 * Z @ Z[picked].T).min(axis=1)
        near = np.maximum(squares, 0).astype(np.float64)
        if bounded:
            near = 1 - np.exp(-problem.kernel.gamma * near)
        far = np.minimum(far, near) if len(chosen) else near
        chosen = np.append(chosen, picked)
        far[chosen] = 0
    return chosen[:LANDMARKS]


def bounded_seeds(problem: RidgeProblem, rng: np.random.Generator) -> Indices:
    return seeds(problem, rng, bounded=True)


def pivots(problem: RidgeProblem, rng: np.random.Generator) -> Indices:
    """Randomly pivoted Cholesky: rows by what is left of their kernel value, with rejection."""
    n_rows = len(problem.X)
    left, features = np.ones(n_rows), np.zeros((n_rows, 0))
    chosen: Indices = np.empty(0, dtype=np.intp)
    while len(chosen) < LANDMARKS:
        picked = np.unique(rng.choice(n_rows, _PIVOTS_AT_ONCE, p=left / left.sum()))
        columns = problem.columns(picked) - features @ features[picked].T
        kept = _accepted(columns[picked], left[picked], rng)
        corner = columns[np.ix_(picked[kept], kept)]
        factor = np.linalg.cholesky(corner + 1e-10 * np.eye(len(kept)))
        new = np.linalg.solve(factor, columns[:, kept].T).T
        features, chosen = np.hstack([features, new]), np.append(chosen, picked[kept])
        left = np.maximum(left - np.square(new).sum(axis=1), 0)
        left[chosen] = 0
    return chosen[:LANDMARKS]


def hardest(problem: RidgeProblem, rng: np.random.Generator) -> Indices:
    """Half of them uniform; then the rows of least margin in the model on those."""
    first = uniform(problem, rng)[: LANDMARKS // 2]
    rest = np.setdiff1d(np.arange(len(problem.X)), first)
    marked = LandmarkFeatures(problem.columns)
    marked.add(first)
    found = problem.few_alphas(marked).coefficients(ALPHAS[1])
    scores, y = marked.features[rest] @ found.weights + found.intercept, problem.targets.y[rest]
    at = np.arange(len(rest)), y
    own = scores[at]
    scores[at] = -np.inf
    return np.append(first, rest[np.argsort(own - scores.max(axis=1))[: LANDMARKS // 2]])


def _accepted(corner: Floats, bound: Floats, rng: np.random.Generator) -> Indices:
    """Those of a block of pivots that a draw one by one would have kept."""
    corner, kept = corner.copy(), []
    for k in range(len(corner)):
        if rng.random() * bound[k] < corner[k, k]:
            kept.append(k)
            column = corner[:, k] / np.sqrt(corner[k, k])
            corner -= np.outer(column, column)
    return np.array(kept)


def judged(problem: RidgeProblem, chosen: Indices, asked: Indices) -> float:
    """Least log-loss of some left-out rows over a few alphas."""
    marked = LandmarkFeatures(problem.columns)
    marked.add(chosen)
    part, judge = problem.few_alphas(marked).sample(asked), NegLogLoss(problem.targets.take(asked))
    return min(-judge.of_result(part.leave_one_out(alpha)) for alpha in ALPHAS)


def main() -> None:
    ways: tuple[Callable[[RidgeProblem, np.random.Generator], Indices], ...]
    ways = (uniform, seeds, bounded_seeds, pivots, hardest)
    for name, factor in SETS.items():
        X, labels, _, _ = split(name)
        classes, y = np.unique(labels, return_inverse=True)
        kernel = Kernel("rbf", factor * gamma_values("rbf", "quantile", X)[0])
        problem = RidgeProblem(X, kernel, Rows.labelled(y, len(classes)), True)
        # Rows that judge are no landmarks, which are predicted better than new rows.
        asked, pool = np.split(np.random.default_rng(5).permutation(len(X)), [ASKED])
        rest = replace(problem, X=X[pool], targets=problem.targets.take(pool))
        for way in ways:
            losses, seconds = [], []
            for draw in range(DRAWS):
                start = process_time()
                chosen = pool[way(rest, np.random.default_rng(draw))]
                seconds.append(process_time() - start)
                losses.append(judged(problem, chosen, asked))
            spread = " ".join(f"{loss:.4f}" for loss in losses)
            print(
                f"{name:10} {way.__name__:14} log-loss {np.mean(losses):.4f} ({spread}), "
                f"{np.mean(seconds):.2f} s to draw",
                flush=True,
            )


if __name__ == "__main__":
    main()
