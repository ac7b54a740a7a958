"""Small margin problems with their kernels, and rows to hold out."""

import numpy as np

from simplexcoding.losses import get_loss
from simplexcoding.solvers.margin import MarginProblem


def draw(n=150, T=3, spread=1.5, loss="cone"):
    rng = np.random.default_rng(0)
    y = np.arange(n) % T
    X = rng.normal(size=(n, 3)) + spread * rng.normal(size=(T, 3))[y]
    K = np.exp(-0.2 * ((X[:, None] - X) ** 2).sum(axis=2))
    held = np.sort(rng.choice(n, n // 5, replace=False))
    return MarginProblem(get_loss(loss), y, np.ones(n), T), K, held
