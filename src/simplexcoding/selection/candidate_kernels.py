"""Kernels to choose from: names, widths around the quantile rule, features raw or scaled."""

from typing import Any

from scipy.sparse import issparse

from simplexcoding.arrays import Floats
from simplexcoding.kernels import (
    Kernel,
    feature_spreads,
    gamma_of_width,
    gamma_values,
    quantile_width,
)

# Multiples of the quantile rule's gamma. The exponential kernel hardly feels its width.
_WIDTHS = {"linear": (1.0,), "rbf": (0.25, 1.0, 4.0), "exponential": (0.5,)}
_OTHER_WIDTHS = (0.25, 1.0, 4.0)


def candidate_kernels(
    kernel: str,
    gamma: Any,
    scaling: str,
    X: Any,
    weights: Floats | None,
    seed: int,
    degree: float = 3,
    coef0: float = 1.0,
) -> list[Kernel]:
    """Kernels to try: names, multiples of the quantile rule, features as they are or scaled.

    Parameters
    ----------
    kernel : a kernel's name, or "auto" for linear, rbf and exponential
    gamma : "auto" for multiples of the quantile rule; else as `gamma_values` takes it
    scaling : "none", "standard" or "auto" for both
    X : (n, p) array or CSR matrix
    weights : (n,) array or None
    seed : int, of the width's sample
    """
    names = [kernel]
    if kernel == "auto":
        names = ["linear", "rbf"] if issparse(X) else ["linear", "rbf", "exponential"]
    scales: list[Floats | None] = []
    if scaling in ("none", "auto"):
        scales.append(None)
    if scaling == "standard" or (scaling == "auto" and not issparse(X)):
        scales.append(feature_spreads(X, weights))
    found = []
    for scale in scales:
        scaled = Kernel(scale=scale).scaled(X)
        automatic = isinstance(gamma, str) and gamma == "auto"
        # One width serves every kernel of a distance.
        width = quantile_width(scaled, seed) if automatic and names != ["linear"] else 1.0
        for name in names:
            if automatic and name not in ("linear", "poly"):
                values = [gamma_of_width(name, width)]
            else:
                values = gamma_values(name, "quantile" if automatic else gamma, scaled, seed)
            if automatic:
                values = [values[0] * factor for factor in _WIDTHS.get(name, _OTHER_WIDTHS)]
            found += [Kernel(name, value, degree, coef0, scale) for value in values]
    return found
