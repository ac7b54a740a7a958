"""Whether 0.6 of the alpha that half of the rows prefer suits all of them: `landmarks="auto"`.

python -m benchmarks.half_the_rows

Left-out log-loss of an rbf model of 2,000 training rows, at two widths: the alpha it prefers as a
multiple of what halves prefer, and how much more log-loss each factor leaves than the best alpha.
"""

from typing import Any

import numpy as np

from benchmarks.data import split
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.arrays import Floats

SETS = ("satimage", "optdigits", "isolet", "pendigits")
N_ROWS, DRAWS = 2000, 3
ALPHAS = np.logspace(-6, 2, 41)
FACTORS = (1.0, 0.6, 0.3)


def losses(X: Any, y: Any, gamma: float) -> Floats:
    """Left-out log-loss at ALPHAS."""
    model = SimplexRidgeClassifier(
        "rbf", alphas=ALPHAS, gamma=gamma, landmarks=None, scoring="neg_log_loss", verbose=False
    )
    return -model.fit(X, y).path_.chosen.score[::-1]


def compared(name: str, n_rows: int = N_ROWS) -> list[list[float]]:
    """Of each width and half: log of the multiple, and the share of log-loss lost by factor."""
    X, y = split(name)[:2]
    rows = np.random.default_rng(0).permutation(len(y))[:n_rows]
    X, y = X[rows], y[rows]
    rule = SimplexRidgeClassifier("rbf", gamma="quantile", alphas=1.0).fit(X[:500], y[:500]).gamma_
    logs, found = np.log(ALPHAS), []
    for gamma in (rule, rule / 4):
        whole = losses(X, y, gamma)
        for seed in range(DRAWS):
            half = np.random.default_rng(seed).permutation(len(y))[: len(y) // 2]
            of_half = logs[losses(X[half], y[half], gamma).argmin()]
            at = np.interp(of_half + np.log(FACTORS), logs, whole)
            found.append([logs[whole.argmin()] - of_half, *(at / whole.min() - 1)])
    return found


def told(name: str, found: list[list[float]]) -> str:
    log, *lost = np.mean(found, axis=0)
    shares = (f"{100 * s:.1f} % at {f:g}" for s, f in zip(lost, FACTORS, strict=True))
    return f"{name}: {np.exp(log):.2f} times the alpha of a half; lost {', '.join(shares)}"


def main() -> None:
    every = []
    for name in SETS:
        found = compared(name)
        every += found
        print(told(name, found), flush=True)
    print(told("mean", every))


if __name__ == "__main__":
    main()
