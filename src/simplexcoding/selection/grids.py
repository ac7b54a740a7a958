"""What there is to try: kernels with their widths and scalings, and values of alpha."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from simplexcoding.arrays import Floats
from simplexcoding.design import Spectrum
from simplexcoding.kernels import (
    OF_DISTANCES,
    OF_SPARSE_ROWS,
    Kernel,
    feature_spreads,
    gamma_of_width,
    gamma_values,
    quantile_width,
)

# The kernels that "auto" tries, with multiples of the quantile rule's gamma. The exponential
# kernel hardly feels its width.
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
        names = [name for name in _WIDTHS if not issparse(X) or name in OF_SPARSE_ROWS]
    scales: list[Floats | None] = []
    if scaling in ("none", "auto"):
        scales.append(None)
    if scaling == "standard" or (scaling == "auto" and not issparse(X)):
        scales.append(feature_spreads(X, weights))
    width_matters = any(name in OF_DISTANCES for name in names)
    found = []
    for scale in scales:
        scaled = Kernel(scale=scale).scaled(X)
        automatic = isinstance(gamma, str) and gamma == "auto"
        # One width serves every kernel of a distance.
        width = quantile_width(scaled, seed) if automatic and width_matters else 1.0
        for name in names:
            if automatic and name in OF_DISTANCES:
                values = [gamma_of_width(name, width)]
            else:
                values = gamma_values(name, "quantile" if automatic else gamma, scaled, seed)
            if automatic:
                values = [values[0] * factor for factor in _WIDTHS.get(name, _OTHER_WIDTHS)]
            found += [Kernel(name, value, degree, coef0, scale) for value in values]
    return found


GRID_SIZE = 100
_LEAST_SHARE_OF_LARGEST = 1e-8


def grid_of(spectrum: Spectrum, n_rows: float, n_features: int = 0) -> Floats:
    """The automatic grid of a factorised problem, see `auto_grid`.

    Repeated rows and integer weights give one grid: `n_rows`, or the total weight where that
    is more.
    """
    size = max(n_rows, spectrum.targets.total, n_features)
    return auto_grid(spectrum.eigenvalues, size, spectrum.rounding)


def auto_grid(eigenvalues: Floats, size: float, eps: float) -> Floats:
    """The paper's grid: 100 values, geometric, from the largest eigenvalue down.

    It ends at the smallest eigenvalue that is no rounding, above size * eps times the
    largest, or at 1e-8 of the largest where that is lower: the best alpha can lie below
    the smallest eigenvalue.
    """
    largest = float(eigenvalues.max(initial=0.0))
    if largest <= 0:
        return np.geomspace(1.0, _LEAST_SHARE_OF_LARGEST, GRID_SIZE)
    sound = eigenvalues[eigenvalues > size * eps * largest]
    smallest = float(sound.min()) if sound.size else largest
    return np.geomspace(largest, min(smallest, _LEAST_SHARE_OF_LARGEST * largest), GRID_SIZE)


def given_grid(alphas: Any) -> Floats:
    """One number or an array, checked; falling."""
    values = np.atleast_1d(np.asarray(alphas, dtype=np.float64))
    if values.ndim != 1 or not values.size:
        raise ValueError(
            f'alphas must be a number, a one-dimensional array or "auto", got {alphas!r}.'
        )
    for value in values:
        if not 0 < value < np.inf:
            raise ValueError(f"alphas must be positive and finite, got {value:g}.")
    return np.unique(values)[::-1]
